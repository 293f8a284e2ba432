package io.tidemark.simulation.model;

/** Selectors of clients, as the API defines them. The oracle's own evaluation. */
public enum ModelSelector {
    NONE("", ""),
    WEB("app=web", ""),
    DB("app=db", ""),
    NOT_JOB("app!=job", ""),
    WEB_OR_JOB("app in (web,job)", ""),
    NAME_P1("", "metadata.name=p1"),
    WEB_NOT_P2("app=web", "metadata.name!=p2");

    private final String labels;
    private final String fields;

    ModelSelector(String labels, String fields) {
        this.labels = labels;
        this.fields = fields;
    }

    public String labels() {
        return labels;
    }

    public String fields() {
        return fields;
    }

    boolean matches(Version version) {
        if (this == NONE) {
            return true;
        }
        String app = version.payload().labels().getOrDefault("app", "");
        String name = ModelFilter.name(version.key());
        return switch (this) {
            case NONE -> true;
            case WEB -> app.equals("web");
            case DB -> app.equals("db");
            case NOT_JOB -> !app.equals("job");
            case WEB_OR_JOB -> app.equals("web") || app.equals("job");
            case NAME_P1 -> name.equals("p1");
            case WEB_NOT_P2 -> app.equals("web") && !name.equals("p2");
        };
    }
}

package io.tidemark.simulation.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.simulation.KnownSeeds;
import io.tidemark.simulation.promise.Promise;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Patches change what they name, and a patch that does not fit production fails. */
class PatchTest {
    private static final String MERGE = "io.tidemark.serving.read.RevisionMerge";
    private static final String POSITION = "io.tidemark.view.request.ChangePosition";

    static Stream<Patch> patches() {
        return Stream.concat(Patch.all().stream(), RarePatches.all().stream());
    }

    @ParameterizedTest
    @MethodSource("patches")
    void fitsItsClass(Patch patch) throws Exception {
        PatchedClasses classes = PatchedClasses.of(patch);
        assertThat(classes.loadClass(patch.type()).getClassLoader()).isSameAs(classes);
    }

    @Test
    void allFitTogether() throws Exception {
        List<Patch> all = patches().toList();
        assertThat(PatchedClasses.of(all).loadClass(POSITION)).isNotNull();
    }

    @Test
    void onlyTheActivePatchHasAnEffect() throws Exception {
        Patch three = patch(POSITION, "wholeRevision", Edit.read("revision", 1, 2).plus(3));
        Patch four = patch(POSITION, "wholeRevision", Edit.read("revision", 1, 2).plus(4));
        Patch constant = patch(POSITION, "wholeRevision", Edit.returns(7));
        PatchedClasses classes = PatchedClasses.of(List.of(three, four, constant));
        assertThat(wholeRevision(classes)).isEqualTo(5);
        classes.activate(three);
        assertThat(wholeRevision(classes)).isEqualTo(8);
        classes.activate(four);
        assertThat(wholeRevision(classes)).isEqualTo(9);
        classes.activate(constant);
        assertThat(wholeRevision(classes)).isEqualTo(7);
    }

    @Test
    void activatesOnlyItsPatches() throws Exception {
        PatchedClasses classes = PatchedClasses.of(List.of());
        Patch other = patch(POSITION, "wholeRevision", Edit.returns(7));
        assertThatThrownBy(() -> classes.activate(other))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void knownSeedsNamePatches() {
        assertThat(KnownSeeds.read().mistakes())
                // Others are mutants, which have no place.
                .filteredOn(mistake -> mistake.contains(": "))
                .isNotEmpty()
                .isSubsetOf(patches().map(Patch::toString).toList());
    }

    @Test
    void everyPromiseHasThreePatches() {
        Map<Promise, Long> patches =
                Patch.all().stream()
                        .collect(Collectors.groupingBy(Patch::breaks, Collectors.counting()));
        assertThat(Promise.values())
                .allSatisfy(promise ->
                        assertThat(patches.getOrDefault(promise, 0L))
                                .as(promise.name())
                                .isGreaterThanOrEqualTo(3));
    }

    @Test
    void refusesAMethodThatIsNotThere() {
        assertRefused(patch(MERGE, "renamed", Edit.returns(0)), "0 methods renamed, not 1");
    }

    @Test
    void refusesACallThatIsNotThere() {
        assertRefused(
                patch(MERGE, "drain", Edit.call("renamed").dropped()),
                "renamed: 0 times in drain, not 1");
    }

    @Test
    void refusesACallThatIsThereMoreOften() {
        assertRefused(
                patch(MERGE, "drain", Edit.call("add").dropped()), "add: 3 times in drain, not 1");
    }

    @Test
    void refusesAClassThatIsNotThere() {
        assertThatThrownBy(() -> PatchedClasses.of(patch(MERGE + "d", "drain", Edit.returns(0))))
                .isInstanceOf(ClassNotFoundException.class);
    }

    @Test
    void changesWhatItNames() throws Exception {
        assertThat(wholeRevision(Edit.returns(7))).isEqualTo(7);
        assertThat(wholeRevision(Edit.call("isWhole").returns(0))).isEqualTo(4);
        assertThat(wholeRevision(Edit.call("isWhole").negated())).isEqualTo(4);
        assertThat(wholeRevision(Edit.read("revision", 1, 2).plus(3))).isEqualTo(8);
    }

    /** Of the end of revision 5, which is 5 without the edit. */
    private static long wholeRevision(Edit edit) throws Exception {
        return wholeRevision(PatchedClasses.of(patch(POSITION, "wholeRevision", edit)));
    }

    private static long wholeRevision(PatchedClasses classes) throws Exception {
        Class<?> patched = classes.loadClass(POSITION);
        Object position = patched.getMethod("endOf", long.class).invoke(null, 5L);
        return (long) patched.getMethod("wholeRevision").invoke(position);
    }

    private static Patch patch(String type, String method, Edit edit) {
        return new Patch(type, method, edit, "a mistake", Promise.SOUND);
    }

    private static void assertRefused(Patch patch, String why) {
        assertThatThrownBy(() -> PatchedClasses.of(patch))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(why);
    }
}

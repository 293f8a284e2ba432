package io.tidemark.waits;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * A test that only {@code mvn verify -Pfull} and {@code -Pnightly} run: it takes half a minute and
 * more, and another test finds most faults of the same kind sooner. To run it by itself, name it in
 * {@code -Dit.test} and add {@code -Pfull}.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@EnabledIfSystemProperty(
        named = "tidemark.full",
        matches = "true",
        disabledReason = LongTest.REASON)
public @interface LongTest {
    /** What the end of the build says of these tests. */
    String REASON = "only with mvn verify -Pfull";
}

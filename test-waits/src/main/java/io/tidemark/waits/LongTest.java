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
        disabledReason = "only with mvn verify -Pfull")
public @interface LongTest {}

package io.tidemark.authorization;

import java.util.Arrays;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An immutable map. A changed map shares all but one path of nodes with the one before, so that a
 * change costs about the same at any size. It is a trie over five bits of the hash at a time; keys
 * of the same hash, which anyone can make up, are sorted in one leaf.
 */
final class PersistentMap<K extends Comparable<K>, V> {
    private static final int BITS = 5;

    private final @Nullable Node<K, V> root;

    private PersistentMap(@Nullable Node<K, V> root) {
        this.root = root;
    }

    static <K extends Comparable<K>, V> PersistentMap<K, V> empty() {
        return new PersistentMap<>(null);
    }

    boolean isEmpty() {
        return root == null;
    }

    @Nullable V get(K key) {
        int hash = hash(key);
        Node<K, V> node = root;
        for (int shift = 0; node instanceof Branch<K, V> branch; shift += BITS) {
            node = branch.child(bit(hash, shift));
        }
        if (node instanceof Leaf<K, V> leaf) {
            return leaf.hash == hash && leaf.key.equals(key) ? leaf.value : null;
        }
        return node instanceof Collision<K, V> collision ? collision.get(hash, key) : null;
    }

    V getOrDefault(K key, V otherwise) {
        V value = get(key);
        return value == null ? otherwise : value;
    }

    PersistentMap<K, V> with(K key, V value) {
        int hash = hash(key);
        Leaf<K, V> leaf = new Leaf<>(hash, key, value);
        return new PersistentMap<>(root == null ? leaf : root.with(leaf, 0));
    }

    PersistentMap<K, V> without(K key) {
        return root == null ? this : new PersistentMap<>(root.without(hash(key), key, 0));
    }

    /** In no particular order. */
    void forEach(BiConsumer<? super K, ? super V> action) {
        if (root != null) {
            root.forEach(action);
        }
    }

    /** Spreads the upper bits, as the short texts of Kubernetes differ in few. */
    private static int hash(Object key) {
        int hash = key.hashCode() * 0x9E3779B9;
        return hash ^ hash >>> 15;
    }

    private static int bit(int hash, int shift) {
        return 1 << (hash >>> shift & 31);
    }

    private sealed interface Node<K extends Comparable<K>, V> {
        /**
         * @param added of one key
         */
        Node<K, V> with(Leaf<K, V> added, int shift);

        @Nullable Node<K, V> without(int hash, K key, int shift);

        void forEach(BiConsumer<? super K, ? super V> action);
    }

    /**
     * @param present a bit for each child, in the children's order
     */
    private record Branch<K extends Comparable<K>, V>(int present, Node<K, V>[] children)
            implements Node<K, V> {
        @Nullable Node<K, V> child(int bit) {
            return (present & bit) == 0 ? null : children[at(bit)];
        }

        private int at(int bit) {
            return Integer.bitCount(present & bit - 1);
        }

        @Override
        public Node<K, V> with(Leaf<K, V> added, int shift) {
            int bit = bit(added.hash, shift);
            Node<K, V> child = child(bit);
            return child == null
                    ? inserted(bit, added)
                    : replaced(bit, child.with(added, shift + BITS));
        }

        @Override
        public @Nullable Node<K, V> without(int hash, K key, int shift) {
            int bit = bit(hash, shift);
            Node<K, V> child = child(bit);
            Node<K, V> left = child == null ? null : child.without(hash, key, shift + BITS);
            if (left == child) {
                return this;
            }
            if (left != null) {
                boolean alone = children.length == 1 && !(left instanceof Branch);
                return alone ? left : replaced(bit, left);
            }
            return children.length == 1 ? null : removed(bit);
        }

        private Node<K, V> replaced(int bit, Node<K, V> child) {
            Node<K, V>[] copy = children.clone();
            copy[at(bit)] = child;
            return new Branch<>(present, copy);
        }

        private Node<K, V> inserted(int bit, Node<K, V> child) {
            return new Branch<>(present | bit, inserting(children, at(bit), child));
        }

        private Node<K, V> removed(int bit) {
            Node<K, V>[] rest = removing(children, at(bit));
            return rest.length == 1 && !(rest[0] instanceof Branch)
                    ? rest[0]
                    : new Branch<>(present & ~bit, rest);
        }

        @Override
        public void forEach(BiConsumer<? super K, ? super V> action) {
            for (Node<K, V> child : children) {
                child.forEach(action);
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static <K extends Comparable<K>, V> Node<K, V> above(
            Node<K, V> only, int hash, int shift) {
        return new Branch<>(bit(hash, shift), (Node<K, V>[]) new Node<?, ?>[] {only});
    }

    private record Leaf<K extends Comparable<K>, V>(int hash, K key, V value)
            implements Node<K, V> {
        @Override
        public Node<K, V> with(Leaf<K, V> added, int shift) {
            if (added.hash != hash) {
                return above(this, hash, shift).with(added, shift);
            }
            return added.key.equals(key) ? added : Collision.of(this).with(added, shift);
        }

        @Override
        public @Nullable Node<K, V> without(int removed, K other, int shift) {
            return removed == hash && other.equals(key) ? null : this;
        }

        @Override
        public void forEach(BiConsumer<? super K, ? super V> action) {
            action.accept(key, value);
        }
    }

    /** Keys of one hash, sorted; more than one. */
    private record Collision<K extends Comparable<K>, V>(int hash, K[] keys, V[] values)
            implements Node<K, V> {
        @SuppressWarnings("unchecked")
        static <K extends Comparable<K>, V> Collision<K, V> of(Leaf<K, V> leaf) {
            return new Collision<>(
                    leaf.hash,
                    (K[]) new Comparable<?>[] {leaf.key},
                    (V[]) new Object[] {leaf.value});
        }

        @Nullable V get(int wanted, K key) {
            int at = hash == wanted ? Arrays.binarySearch(keys, key) : -1;
            return at < 0 ? null : values[at];
        }

        @Override
        public Node<K, V> with(Leaf<K, V> added, int shift) {
            if (added.hash != hash) {
                return above(this, hash, shift).with(added, shift);
            }
            int at = Arrays.binarySearch(keys, added.key);
            if (at >= 0) {
                V[] copy = values.clone();
                copy[at] = added.value;
                return new Collision<>(hash, keys, copy);
            }
            return new Collision<>(
                    hash,
                    inserting(keys, -at - 1, added.key),
                    inserting(values, -at - 1, added.value));
        }

        @Override
        public Node<K, V> without(int removed, K key, int shift) {
            int at = removed == hash ? Arrays.binarySearch(keys, key) : -1;
            if (at < 0) {
                return this;
            }
            if (keys.length == 2) {
                return new Leaf<>(hash, keys[1 - at], values[1 - at]);
            }
            return new Collision<>(hash, removing(keys, at), removing(values, at));
        }

        @Override
        public void forEach(BiConsumer<? super K, ? super V> action) {
            for (int i = 0; i < keys.length; i++) {
                action.accept(keys[i], values[i]);
            }
        }
    }

    private static <T> T[] inserting(T[] array, int at, T element) {
        T[] copy = Arrays.copyOf(array, array.length + 1);
        System.arraycopy(array, at, copy, at + 1, array.length - at);
        copy[at] = element;
        return copy;
    }

    private static <T> T[] removing(T[] array, int at) {
        T[] copy = Arrays.copyOf(array, array.length - 1);
        System.arraycopy(array, at + 1, copy, at, copy.length - at);
        return copy;
    }
}

package io.tidemark.query.compress;

import io.tidemark.serving.watch.CodedLine;

/**
 * A line as whole blocks of deflate, none of them the last.
 *
 * @param content of the line before compression
 */
record GzipPiece(byte[] bytes, ContentSum content) implements CodedLine {}

import { hash } from 'node:crypto';

/** A digest in the form of a UUID; not one of RFC 9562, which nothing here looks at. */
export const uuidOf = (text: string): string =>
  hash('sha1', text).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, '$1-$2-$3-$4-$5');

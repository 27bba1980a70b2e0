import type { ClientBase } from 'pg';

/** The longest name that PostgreSQL keeps whole (NAMEDATALEN - 1), in bytes. */
const MAX_NAME_BYTES = 63;

const texts = new Map<string, string>();

/**
 * Notes what the name of a prepared statement stands for, in the whole process. A second text would be refused by a connection that
 * has prepared the first, and only by that one.
 * @throws {Error} where the name stands for another text, or is so long that PostgreSQL would cut it.
 */
export function claimName(name: string, text: string): void {
  const known = texts.get(name);
  if (known === text) return;
  if (known !== undefined) throw new Error(`The name "${name}" stands for another statement already.`);
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) throw new Error(`The name "${name}" of a statement is too long.`);
  texts.set(name, text);
}

/** Has a connection send no query whose name stands for another text. */
export function watchNames(client: ClientBase): void {
  const { query } = client;
  Object.defineProperty(client, 'query', {
    value: (asked: unknown, ...rest: readonly unknown[]): unknown => {
      if (isNamed(asked)) claimName(asked.name, asked.text);
      return Reflect.apply(query, client, [asked, ...rest]);
    },
  });
}

const isNamed = (asked: unknown): asked is { readonly name: string; readonly text: string } =>
  typeof asked === 'object' && asked !== null && 'name' in asked && typeof asked.name === 'string';

import type { ClientBase } from 'pg';

/** The longest name that PostgreSQL does not truncate (NAMEDATALEN - 1), in bytes. */
const MAX_NAME_BYTES = 63;

const texts = new Map<string, string>();

/**
 * Registers the text of a prepared statement's name for the whole process. Otherwise a second text would fail only on
 * connections that have prepared the first one.
 * @throws {Error} if the name has another text, or PostgreSQL would truncate it
 */
export function claimName(name: string, text: string): void {
  const known = texts.get(name);
  if (known === text) return;
  if (known !== undefined) throw new Error(`The name "${name}" is already used for another statement.`);
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) throw new Error(`The statement name "${name}" is too long.`);
  texts.set(name, text);
}

/** Makes a connection refuse queries whose name has another text. */
export function watchNames(client: ClientBase): void {
  const { query: send } = client;
  Object.defineProperty(client, 'query', {
    value: (query: unknown, ...rest: readonly unknown[]): unknown => {
      if (isNamed(query)) claimName(query.name, query.text);
      return Reflect.apply(send, client, [query, ...rest]);
    },
  });
}

const isNamed = (query: unknown): query is { readonly name: string; readonly text: string } =>
  typeof query === 'object' && query !== null && 'name' in query && typeof query.name === 'string';

import { type AnyOperation, OPERATIONS } from '../protocol/operations.ts';
import type { Operations } from './types.ts';

/** What a client needs of a row of the operation table. */
export interface Row {
  readonly name: keyof Operations;
  /** The signed member `function`, where it is not the name. */
  readonly function?: string;
  /** By default POST. */
  readonly method?: 'DELETE';
  /** Segments that begin with a colon are parameters: fields, or the token of a guardian's link. */
  readonly path: string;
  readonly signed: readonly string[];
  /** Fields that are sent, but not signed. */
  readonly unsigned: readonly string[];
  /** The field that each parameter of the path sets. */
  readonly takes?: Readonly<Record<string, string>>;
  readonly needsLink?: true;
  readonly byInstitute?: true;
  /** Whether some of its uses have no ledger entry, and so no receipt. */
  readonly mayNeedNoEntry?: true;
  /** The member of the response with the id of the entity that the operation creates. */
  readonly createdId?: 'beo_id' | 'ieo_id';
}

function rowOf(operation: AnyOperation): Row {
  const { name, function: functionName, routes, fields, hints = {}, signer, about, mayNeedNoEntry } = operation;
  const [route] = routes;
  if (!route) throw new Error(`${name} has no route.`);
  const created = 'creates' in about ? about.creates : null;
  const createdId = created === 'BEO' ? 'beo_id' : created === 'IEO' ? 'ieo_id' : null;
  return {
    name: name as keyof Operations,
    path: route.path,
    signed: Object.keys(fields.shape),
    unsigned: Object.keys(hints),
    ...(functionName === name ? {} : { function: functionName }),
    ...(route.method === 'DELETE' ? { method: route.method } : {}),
    ...(route.takes ? { takes: route.takes } : {}),
    ...(route.link ? { needsLink: true } : {}),
    ...(signer === 'institute' ? { byInstitute: true } : {}),
    ...(mayNeedNoEntry ? { mayNeedNoEntry } : {}),
    ...(createdId ? { createdId } : {}),
  };
}

/** The operation table, as a client needs it. Builds for browsers put data in its place: operation-data.mjs. */
export const ROWS: readonly Row[] = OPERATIONS.map(rowOf);

import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * protocol/operations.ts as data: what a client needs of the table (rows.ts, protocol/ledger/check-proof.ts). The schemas and
 * transitions of its rows would bring zod along, which is four times as large as the client.
 */
export async function operationData() {
  const { OPERATIONS } = await loadModule('protocol/operations.ts');
  return `export const OPERATIONS = ${JSON.stringify(OPERATIONS.map(dataOf))};`;
}

/** The exports of a module of this project, by its path in it. */
export async function loadModule(path) {
  const bundle = { cwd: ROOT, input: path, platform: 'node', tsconfig: false, logLevel: 'warn', write: false };
  const { output } = await build({ ...bundle, output: { format: 'esm', codeSplitting: false } });
  const [{ code }] = output;
  return import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`);
}

const dataOf = ({ name, function: signed, routes: [route], fields, hints, signer, about, sealed, mayNeedNoEntry }) => ({
  name,
  function: signed,
  routes: [{ method: route.method, path: route.path, takes: route.takes, link: route.link }],
  fields: { shape: namesOf(fields.shape) },
  hints: hints && namesOf(hints),
  signer: signer === 'institute' ? signer : undefined,
  about: 'creates' in about ? { creates: about.creates } : {},
  sealed: sealed && 1,
  mayNeedNoEntry,
});

const namesOf = (members) => Object.fromEntries(Object.keys(members).map((name) => [name, 1]));

/** Puts the data in the place of the table in what Next bundles for browsers: next.config.js. */
export default function operationDataLoader() {
  const done = this.async();
  operationData().then((text) => done(null, text), done);
}

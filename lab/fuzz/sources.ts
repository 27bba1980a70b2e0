import fc from 'fast-check';
import { z } from 'zod';
import type { ApiOperation } from '../../server/http/openapi/model.ts';
import type { JsonSchema } from '../../server/http/openapi/schemas.ts';
import { arbitraryOf } from '../../server/http/openapi/test-arbitrary.ts';
import { testModel } from '../../server/http/openapi/test-document.ts';
import {
  type Draft,
  draftOf,
  isObject,
  type KnownEntities,
  realized,
  rendered,
  signedBody,
  type Values,
} from '../../server/http/openapi/test-request.ts';
import { ROUTES, routesAt } from '../../server/http/rest/routes.ts';
import { appRouter } from '../../server/http/trpc/router.ts';
import { newPerson } from '../../server/testing/test-service.ts';
import type { Random } from '../chaos/random.ts';
import type { Template } from './fuzz-request.ts';
import { mutated } from './mutate-json.ts';
import type { World } from './world.ts';

/** Makes requests to one route. */
export interface Source {
  readonly route: string;
  draw(random: Random, world: World): Template;
}

export interface Sources {
  /** By kind, with the share of the requests in thousandths. */
  readonly kinds: readonly { readonly share: number; readonly sources: readonly Source[] }[];
  /** Every route that a run must reach. */
  readonly routes: readonly string[];
}

export interface Tool {
  readonly name: string;
  readonly inputSchema: JsonSchema;
}

interface Parts {
  readonly seed: number;
  readonly instituteKeys: readonly string[];
  /** The tools that the MCP server lists. */
  readonly tools: readonly Tool[];
  /** Paths of pages, with parameters in brackets. */
  readonly pages: readonly string[];
}

/** Drafts of a route, made once: generating is slower than sending. */
const DRAFTS = 12;

export function sourcesOf({ seed, instituteKeys, tools, pages }: Parts): Sources {
  const sample = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.sample(arbitrary, { seed, numRuns: DRAFTS });
  const { operations } = testModel();
  const rest = operations.map((operation) => restSource(operation, sample(draftOf(operation)), instituteKeys));
  const trpc = Object.entries(proceduresOf()).map(([name, procedure]) =>
    trpcSource(name, procedure, sample(inputOf(procedure)), operations),
  );
  const mcp = tools.map(({ name, inputSchema }) => mcpSource(name, sample(arbitraryOf(inputSchema))));
  const kinds = [
    { share: 565, sources: rest },
    { share: 245, sources: [validSource] },
    { share: 165, sources: trpc },
    { share: 22, sources: mcp },
    { share: 3, sources: pages.map(pageSource) },
  ];
  const routes = [
    ...ROUTES.map(({ method, path }) => routeName(method, path)),
    ...[...trpc, ...mcp].map(({ route }) => route),
  ];
  return { kinds: kinds.filter(({ sources }) => sources.length > 0), routes: [...new Set(routes)] };
}

/** Operations that end what the world has. They are rarely signed by the right key, or every later request would get 410. */
const ENDS = /^(destroy|lock|rotate|revokeAll|suspend|resign)/;

const stranger = newPerson();
const STRANGERS = { holder: stranger, institution: stranger };

function restSource(operation: ApiOperation, drafts: readonly Draft[], instituteKeys: readonly string[]): Source {
  const route = `${operation.method} ${operation.path.replace(/\{(\w+)\}/g, ':$1')}`;
  return {
    route,
    draw(random, world) {
      const draft = random.pick(drafts);
      const known = ENDS.test(operation.id) && !random.chance(0.03) ? { ...world, ...STRANGERS } : world;
      const made = random.chance(0.9) ? realizedOr(operation, draft, known, random) : draft;
      const key = random.chance(0.9) ? random.pick(instituteKeys) : 'wrong';
      const { method, path, query, headers, body } = rendered(operation, made, key);
      const json = method === 'GET' || operation.body === null ? undefined : body;
      return { route, method, path, query, headers: Object.entries(headers), json };
    },
  };
}

/** Signed after a change of its members, so that the change gets past the signature; as it is if it cannot be signed. */
function realizedOr(operation: ApiOperation, draft: Draft, known: KnownEntities, random: Random): Draft {
  const alter = (members: Values): Values => {
    const changed = random.chance(0.3) ? mutated(members, random) : members;
    return isObject(changed) ? changed : members;
  };
  try {
    return realized(operation, draft, known, alter);
  } catch {
    return draft;
  }
}

/** The valid request of an operation. It is accepted the first time that it is sent unchanged. */
const validSource: Source = {
  route: 'every operation',
  draw(random, world) {
    const { method, path, headers = {}, body } = random.pick(world.valid);
    const all = { accept: 'application/json', 'content-type': 'application/json', ...headers };
    return { route: routeOf(method, path), method, path, query: [], headers: Object.entries(all), json: body };
  },
};

const routeOf = (method: string, path: string): string =>
  routeName(method, routesAt(path).find(({ route }) => route.method === method)?.route.path ?? path);

/** The API document does not tell the two kinds of parameters apart. */
const routeName = (method: string, path: string): string => `${method} ${path.replace('/*', '/:')}`;

/** tRPC ----------------------------------------------------------------------------------------------------------- */

interface Procedure {
  readonly _def: { readonly type: string; readonly inputs: readonly z.ZodType[] };
}

// What tRPC keeps of a procedure, which its types do not state.
const proceduresOf = () => appRouter._def.procedures as unknown as Readonly<Record<string, Procedure>>;

const inputOf = ({ _def: { inputs } }: Procedure): fc.Arbitrary<unknown> =>
  inputs[0]
    ? arbitraryOf(z.toJSONSchema(inputs[0], { io: 'input', unrepresentable: 'any' }) as JsonSchema)
    : fc.constant({});

function trpcSource(
  name: string,
  { _def: { type } }: Procedure,
  inputs: readonly unknown[],
  operations: readonly ApiOperation[],
): Source {
  const route = `tRPC ${name}`;
  const takes = operations.filter(({ signed }) => signed?.function.toLowerCase().endsWith(name.toLowerCase()));
  return {
    route,
    draw(random, world) {
      const given = random.pick(inputs);
      const known = isObject(given)
        ? Object.fromEntries(Object.entries(given).map(([key, value]) => [key, world.values[key] ?? value]))
        : given;
      const input = isObject(known) && 'body' in known ? { ...known, ...signedInput(takes, random, world) } : known;
      const isBatch = random.chance(0.2);
      const path = `/api/trpc/${isBatch && random.chance(0.3) ? `${name},${name}` : name}`;
      const batch = isBatch ? ([['batch', '1']] as const) : [];
      const json = isBatch ? { 0: input } : input;
      if (type !== 'query')
        return { route, method: 'POST', path, query: batch, headers: [['content-type', 'application/json']], json };
      const text = JSON.stringify(random.chance(0.3) ? mutated(json, random) : json) ?? '';
      return { route, method: 'GET', path, query: [...batch, ['input', text]], headers: [], json: undefined };
    },
  };
}

/** A signed body: of the request of the procedure's name if there is one, else of an operation for `operate`. */
function signedInput(takes: readonly ApiOperation[], random: Random, world: World): Values {
  const message = takes.length > 0 ? random.pick(takes).signed : null;
  if (message) {
    const members = message.members.filter((member) => member in world.values);
    const fields = Object.fromEntries(members.map((member) => [member, world.values[member]]));
    return { body: signedBody(message, fields, world) };
  }
  const { path, body } = random.pick(world.valid);
  const operations = routesAt(path).flatMap(({ route }) => (route.kind === 'operation' ? route.operations : []));
  return { function: operations[0]?.function ?? '', body };
}

/** MCP and pages --------------------------------------------------------------------------------------------------- */

const MCP_HEADERS = [
  ['content-type', 'application/json'],
  ['accept', 'application/json, text/event-stream'],
] as const;

function mcpSource(name: string, inputs: readonly unknown[]): Source {
  const route = `MCP ${name}`;
  return {
    route,
    draw(random) {
      const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: random.pick(inputs) } };
      const method = random.pick(['initialize', 'ping', 'tools/list', 'resources/list', 'x']);
      const json = random.chance(0.85) ? call : { ...call, method };
      return { route, method: 'POST', path: '/mcp', query: [], headers: MCP_HEADERS, json };
    },
  };
}

const pageSource = (page: string): Source => ({
  route: `page ${page}`,
  draw(random, world) {
    const known = () => String(random.pick([...Object.values(world.values), 'x']));
    const path = page.replace(/\[(?:\.\.\.)?\w+\]/g, () => encodeURIComponent(known()));
    return {
      route: `page ${page}`,
      method: 'GET',
      path,
      query: [],
      headers: [['accept', 'text/html']],
      json: undefined,
    };
  },
});

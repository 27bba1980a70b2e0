import { setTimeout as sleep } from 'node:timers/promises';
import { OPERATIONS } from '../../protocol/operations.ts';
import { exchangeOf, measurements } from '../../server/features/records/test-exchange.ts';
import type { KnownEntities } from '../../server/http/openapi/test-request.ts';
import type { Answer, TestApi, TestService } from '../../server/testing/test-service.ts';
import { requestsByOperation, type ValidRequest } from '../faults/test-kinds.ts';

/** Entities that requests refer to, and a valid request of each operation. */
export interface World extends KnownEntities {
  readonly valid: readonly ValidRequest[];
}

export interface SetUp {
  readonly api: TestApi;
  /** The ids of the entries that its requests created. */
  readonly accepted: Set<string>;
}

const MAX_ATTEMPTS = 10;

/** Sends the requests that create entities. Each has the address of another client, apart from those of the load. */
export function createSetUp(url: string, instituteKeys: readonly string[]): SetUp {
  const accepted = new Set<string>();
  let sent = 0;

  async function request(path: string, init: RequestInit, attempt = 1): Promise<Answer> {
    sent += 1;
    const address = `10.200.${(sent >> 8) & 255}.${sent & 255}`;
    const headers = { ...(init.headers as Record<string, string>), 'x-forwarded-for': address };
    const response = await fetch(url + path, { ...init, headers });
    // A busy machine can be late with the first connections to the database. Nothing was accepted, so the same bytes go again.
    if (response.status === 503 && attempt < MAX_ATTEMPTS) {
      await sleep(1_000);
      return request(path, init, attempt + 1);
    }
    const text = await response.text();
    const id = acceptedId(response.headers.get('location'));
    if (id) accepted.add(id);
    const isText = !response.headers.get('content-type')?.includes('application/json');
    return {
      status: response.status,
      headers: response.headers,
      body: isText || text === '' ? text : JSON.parse(text),
    };
  }

  const JSON_TYPE = { 'content-type': 'application/json' };
  return {
    accepted,
    api: {
      instituteKeys,
      request: (path, init) => request(path, { ...init, headers: { ...JSON_TYPE, ...(init.headers as object) } }),
      get: (path, headers = {}) => request(path, { headers }),
      post: (path, body, headers = {}) =>
        request(path, { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(body) }),
    },
  };
}

/** The id in the address of an accepted operation. */
export const acceptedId = (location: string | null | undefined): string | null =>
  /^\/api\/transactions\/([\w-]{43})$/.exec(location ?? '')?.[1] ?? null;

const RECORDS = 20;

export async function createWorld(api: TestApi): Promise<World> {
  // Of the service, an exchange uses only its API.
  const exchange = exchangeOf(api as TestService);
  const { holder, by, tokenId } = await exchange.newConsent();
  await exchange.submitted({ holder, by, tokenId }, measurements(RECORDS));
  const requests = requestsByOperation(api);
  const valid = await Promise.all(
    OPERATIONS.map(({ name }) => {
      const prepare = requests[name];
      if (!prepare) throw new Error(`There is no request for the operation ${name}; add it to test-kinds.ts.`);
      return prepare();
    }),
  );
  const linkOf = (kind: string) =>
    valid
      .find(({ path }) => path.includes(`/${kind}/`))
      ?.path.split('/')
      .at(-1);
  return {
    valid,
    holder: holder.person,
    institution: by.person,
    values: {
      beoId: holder.id,
      targetBeo: holder.id,
      ieoId: by.id,
      tokenId,
      consentToken: tokenId,
      ieo_domain: by.domain,
      beo_domain: holder.domain,
      reference: holder.domain,
      entityId: holder.id,
      id: holder.transactionId,
      token: linkOf('accept') ?? linkOf('confirm-recovery'),
    },
  };
}

import { getRequest, postRequest } from './http-request.ts';
import { createHolder, signedBody } from './signed-operation.ts';

/** The identities of a bench are numbered from 0 in the order they are created; the number is in the domain. */
export const domainOf = (index: number): string => `holder-${index}.bsp`;

export type Workload =
  | { readonly kind: 'createBEO'; readonly from: number; readonly count: number }
  | { readonly kind: 'readByDomain'; readonly population: number; readonly count: number };

export interface PreparedRequests {
  readonly requests: readonly Buffer[];
  readonly expectedStatus: number;
}

/** Prepares the requests of a workload, signed where they must be; a new kind of load is one more function here. */
export function prepareRequests(workload: Workload): PreparedRequests {
  switch (workload.kind) {
    case 'createBEO':
      return createBEO(workload);
    case 'readByDomain':
      return readByDomain(workload);
  }
}

function createBEO({ from, count }: { from: number; count: number }): PreparedRequests {
  const requests = Array.from({ length: count }, (_, index) => {
    const { privateKey, publicKey } = createHolder();
    const fields = { domain: domainOf(from + index), publicKey, recovery: null };
    return postRequest('/api/relayer/beo', signedBody('createBEO', fields, privateKey));
  });
  return { requests, expectedStatus: 201 };
}

/** Every identity of the population is as likely as any other, so that nothing but memory for all of them helps. */
function readByDomain({ population, count }: { population: number; count: number }): PreparedRequests {
  const requests = Array.from({ length: count }, () =>
    getRequest(`/api/beos/domain/${domainOf(Math.floor(Math.random() * population))}`),
  );
  return { requests, expectedStatus: 200 };
}

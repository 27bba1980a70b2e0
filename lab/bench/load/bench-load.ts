import { type Connection, openConnection } from './load-connection.ts';

export interface Load {
  readonly port: number;
  readonly connections: number;
  /** Whole HTTP requests, sent once each in this order. */
  readonly requests: readonly Buffer[];
  /** The status that every response must have. */
  readonly expectedStatus: number;
}

export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
}

/**
 * A closed loop: every connection sends its next request as soon as it has received a response.
 * @throws {Error} at the first response with another status, with the beginning of its body.
 */
export async function closedLoop({ port, requests, expectedStatus, ...load }: Load): Promise<LoadResult> {
  const connections = await Promise.all(Array.from({ length: load.connections }, () => openConnection(port)));
  let next = 0;
  async function send(connection: Connection): Promise<void> {
    for (let index = next++; index < requests.length; index = next++) {
      const { status, body } = await connection.request(requests[index] as Buffer);
      if (status === expectedStatus) continue;
      const beginning = body.toString('utf8', 0, 300);
      throw new Error(`The status of a response was ${status}, not ${expectedStatus}: ${beginning}`);
    }
  }
  try {
    const begun = performance.now();
    await Promise.all(connections.map(send));
    return { requests: requests.length, seconds: (performance.now() - begun) / 1000 };
  } finally {
    for (const connection of connections) connection.close();
  }
}

import type { RequestOptions } from 'node:https';
import { requestOnce } from '../../server/processes/test-http-requests.ts';
import type { Answer, TestApi } from '../../server/testing/test-service.ts';

/** The API at an address, with TLS of an authority of a test, for the parties of the tests. */
export function apiAt(url: string, options: RequestOptions = {}, instituteKeys: readonly string[] = []): TestApi {
  async function request(path: string, { method = 'GET', headers = {}, body }: RequestInit): Promise<Answer> {
    const answer = await requestOnce(`${url}${path}`, {
      ...options,
      method,
      headers: { ...(headers as Record<string, string>), 'content-length': Buffer.byteLength(String(body ?? '')) },
      ...(body === undefined ? {} : { body: String(body) }),
    });
    const isJson = answer.headers['content-type']?.includes('application/json') && answer.body !== '';
    const list = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)]);
    return {
      status: answer.status,
      headers: new Headers(list),
      body: isJson ? JSON.parse(answer.body) : answer.body,
    };
  }
  return {
    instituteKeys,
    request,
    get: (path, headers = {}) => request(path, { headers }),
    post: (path, body, headers = {}) =>
      request(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
  };
}

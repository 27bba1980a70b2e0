import type { ApiOperation } from '../../../server/http/openapi/model.ts';
import type { ExampleRequest } from './example-request.ts';

export interface CurlRequest {
  readonly method: string;
  /** With the query. */
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** JSON text. */
  readonly body: string | null;
  readonly forInstitute: boolean;
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A request as a curl command. The shell reads an institute key from its environment. */
export function curlCommand({ method, url, headers, body, forInstitute }: CurlRequest): string {
  const parts = [
    `curl ${method === 'GET' || (method === 'POST' && body !== null) ? '' : `-X ${method} `}${quoted(url)}`,
    ...(forInstitute ? ['-H "X-Institute-Key: $INSTITUTE_KEY"'] : []),
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === null ? [] : ["-H 'Content-Type: application/json'", "--data-binary @- <<'JSON'"]),
  ];
  const command = parts.join(' \\\n  ');
  return body === null ? command : `${command}\n${body}\nJSON`;
}

/** The request as a curl command; it sends the signature of the example. */
export function curlOf(
  { method, signed, body, forInstitute }: ApiOperation,
  request: ExampleRequest,
  url: string,
): string {
  const inHeaders = Object.entries(signed?.headers ?? {}).filter(([name]) => name in request.sent);
  const names = new Set(inHeaders.map(([name]) => name));
  const inQuery = body === null ? Object.entries(request.sent).filter(([name]) => !names.has(name)) : [];
  const query = new URLSearchParams([
    ...inQuery.map(([name, value]) => [name, String(value)]),
    ...Object.entries(request.query),
  ]);
  return curlCommand({
    method,
    url: `${url}${request.path}${query.size > 0 ? `?${query}` : ''}`,
    headers: [
      ...(forInstitute && body !== null ? [['Idempotency-Key', 'new-for-each-decision'] as const] : []),
      ...inHeaders.map(([name, header]) => [header, String(request.sent[name])] as const),
    ],
    body: body === null ? null : JSON.stringify(request.sent, null, 2),
    forInstitute,
  });
}

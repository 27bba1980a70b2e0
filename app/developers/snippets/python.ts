import type { Json } from '../../../protocol/signing/canonical-json.ts';
import type { ApiOperation } from '../../../server/http/openapi/model.ts';
import { type ExampleRequest, isWrite, keyField } from './example-request.ts';
import { literal, PYTHON } from './literal.ts';

const text = (value: Json): string => literal(value, PYTHON);

/** The request in Python, with docs/examples/perpetua.py. */
export function pythonOf(operation: ApiOperation, request: ExampleRequest, url: string): string {
  const { signed, forInstitute, answers } = operation;
  if (!signed && !forInstitute && !answers[0]?.type?.startsWith('application/json')) return plainRead(request, url);
  const imports = signed ? 'Key, Perpetua' : 'Perpetua';
  return [
    ...(signed || forInstitute ? ['import os'] : []),
    `from perpetua import ${imports}`,
    '',
    `service = Perpetua(${text(url)})`,
    ...(signed ? ['key = Key(bytes.fromhex(os.environ["PERPETUA_SEED"]))'] : []),
    ...(signed || operation.body !== null ? [`fields = ${fieldsOf(operation, request)}`] : []),
    `result = service.${callOf(operation, request)}`,
    'print(result)',
  ].join('\n');
}

function callOf(operation: ApiOperation, { path, query, hints }: ExampleRequest): string {
  const { signed, forInstitute, method, body } = operation;
  const address = Object.keys(query).length > 0 ? `${path}?${new URLSearchParams(query)}` : path;
  if (forInstitute && body !== null) return `decide(os.environ["INSTITUTE_KEY"], ${text(path)}, fields)`;
  if (forInstitute) return `get(${text(address)}, {"X-Institute-Key": os.environ["INSTITUTE_KEY"]})`;
  if (!signed) return method === 'GET' ? `get(${text(address)})` : `send("POST", ${text(address)}, None)`;
  if (method === 'GET') return `signed_get(key, ${text(signed.function)}, ${text(path)}, fields)`;
  if (!isWrite(operation)) return `signed_post(key, ${text(signed.function)}, ${text(path)}, fields)`;
  const options = [
    `path=${text(path)}`,
    ...(method === 'DELETE' ? ['method="DELETE"'] : []),
    ...(Object.keys(hints).length > 0 ? [`unsigned=${text(hints)}`] : []),
  ];
  return `operate(\n  key, ${text(signed.function)}, fields,\n  ${options.join(', ')},\n)`;
}

function fieldsOf(operation: ApiOperation, { fields }: ExampleRequest): string {
  const field = keyField(operation);
  const source = text(fields);
  return field ? source.replace(`"${field}": ${text(fields[field] ?? null)}`, `"${field}": key.public_key`) : source;
}

const plainRead = ({ path }: ExampleRequest, url: string): string =>
  [
    'from urllib.request import urlopen',
    '',
    `with urlopen(${text(url + path)}) as response:`,
    '    print(response.read().decode())',
  ].join('\n');

import type { ApiOperation } from '../../../server/http/openapi/model.ts';
import { Code, Text } from '../code.tsx';
import { curlOf } from '../snippets/curl.ts';
import type { ExampleRequest } from '../snippets/example-request.ts';
import { pythonOf } from '../snippets/python.ts';
import { typescriptOf } from '../snippets/typescript.ts';

type ExamplesProps = { operation: ApiOperation; request: ExampleRequest; url: string };

/** The same request in three languages: side by side on a desktop, one after the other on a phone. */
export function Examples({ operation, request, url }: ExamplesProps) {
  return (
    <section className="mt-10">
      <h2>Examples</h2>
      {operation.signed && (
        <p className="mt-2 max-w-prose">
          <Text>
            {
              'TypeScript and Python read the seed of your key, 64 hex characters, from `PERPETUA_SEED`, and sign. The curl command sends the signature of the example, which is older than five minutes: replace its members with what you signed.'
            }
          </Text>
        </p>
      )}
      <div className="mt-4 grid gap-4 xl:grid-cols-3">
        <Code label="curl" code={curlOf(operation, request, url)} />
        <Code label="TypeScript" code={typescriptOf(operation, request, url)} />
        <Code label="Python" code={pythonOf(operation, request, url)} />
      </div>
    </section>
  );
}

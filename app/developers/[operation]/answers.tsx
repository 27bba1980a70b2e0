import type { ApiOperation } from '../../../server/http/openapi/model.ts';
import type { JsonSchema } from '../../../server/http/openapi/schemas.ts';
import { MemberTable } from '../member-table.tsx';
import { membersOf } from '../members.ts';

type AnswersProps = { operation: ApiOperation; components: Readonly<Record<string, JsonSchema>> };

/** The responses that are no errors. */
export function Answers({ operation, components }: AnswersProps) {
  return (
    <section className="mt-10">
      <h2>Response</h2>
      {operation.answers.map(({ status, description, type, schema, headers }) => {
        const members = schema ? membersOf(schema, components) : [];
        return (
          <div key={`${status} ${type}`} className="mt-4">
            <h3>Status {status}</h3>
            <p className="mt-1 mb-2">
              {description} {type ? `Content type: ${type.split(';')[0]}.` : 'No body.'}
              {headers.length > 0 && ` Headers: ${headers.join(', ')}.`}
            </p>
            {members.length > 0 && (
              <MemberTable
                id={String(status)}
                caption={`Members of the response with status ${status}`}
                note="Always present"
                members={members}
                noteOf={({ required }) => (required ? 'yes' : 'no')}
              />
            )}
          </div>
        );
      })}
    </section>
  );
}

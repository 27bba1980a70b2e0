import type { ApiField, ApiOperation } from '../../../server/http/openapi/model.ts';
import type { JsonSchema } from '../../../server/http/openapi/schemas.ts';
import { Text } from '../code.tsx';
import { MemberTable } from '../member-table.tsx';
import { type Member, membersOf, rowOf } from '../members.ts';

type RequestTableProps = { operation: ApiOperation; components: Readonly<Record<string, JsonSchema>> };

const PLACES = [
  ['path', 'In the path'],
  ['query', 'In the query'],
  ['header', 'In headers'],
  ['body', 'In the JSON body'],
] as const;

/** What the request contains, by place. */
export function RequestTable({ operation, components }: RequestTableProps) {
  const { fields, signed } = operation;
  if (fields.length === 0) {
    return (
      <section className="mt-10">
        <h2>Request</h2>
        <p className="mt-2">It has no parameters and no body.</p>
      </section>
    );
  }
  return (
    <section className="mt-10">
      <h2>Request</h2>
      {signed && (
        <p className="mt-2 max-w-prose">
          <Text>
            {
              'Sign every member that you send, exactly as you send it, except `signature` and those marked “not signed”. Any other member is refused.'
            }
          </Text>
        </p>
      )}
      {PLACES.map(([place, heading]) => {
        const here = fields.filter((field) => field.in === place);
        if (here.length === 0) return null;
        return (
          <div key={place} className="mt-4">
            <h3>{heading}</h3>
            <MemberTable
              id="request"
              caption={heading}
              note="Required"
              members={here.flatMap((field) => rowsOf(field, components))}
              noteOf={(member) => noteOf(member, operation)}
            />
          </div>
        );
      })}
    </section>
  );
}

const rowsOf = (
  { name, schema, required }: ApiField,
  components: RequestTableProps['components'],
): readonly Member[] => [
  rowOf(name, schema, components, required),
  ...membersOf({ properties: { [name]: schema } }, components).filter(({ path }) => path !== name),
];

function noteOf({ path, required }: Member, { signed }: ApiOperation): string {
  const need = required ? 'yes' : 'no';
  if (!signed || path.includes('.')) return need;
  const header = Object.entries(signed.headers).find(([, name]) => name === path)?.[0];
  return signed.members.includes(header ?? path) || path === 'signature' || header === 'signature'
    ? need
    : `${need}, not signed`;
}

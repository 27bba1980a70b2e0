import type { Fact } from '../../../server/http/openapi/facts.ts';
import { Text } from '../code.tsx';

/** What to know before the request is sent. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="mt-6 grid max-w-prose gap-x-8 sm:grid-cols-[max-content_1fr]">
      {facts.map(([name, value]) => (
        <div key={name} className="grid border-t border-line py-2 sm:col-span-2 sm:grid-cols-subgrid">
          <dt className="text-sm text-muted">{name}</dt>
          <dd>
            <Text>{value}</Text>
          </dd>
        </div>
      ))}
    </dl>
  );
}

'use client';

import { pageOf } from '../_ui/explore-address.ts';
import { LocalLink } from '../_ui/local-link.tsx';
import { Name } from '../_ui/name.tsx';
import { textLink } from '../_ui/text-link.ts';

/** A link to the page of a party of a consent. */
export function PartyLink({ domain, id }: { domain: string | null; id: string }) {
  return (
    <LocalLink href={pageOf(domain ?? id)} className={`${textLink} -my-2 inline-block py-2`}>
      <Name>{domain ?? id}</Name>
    </LocalLink>
  );
}

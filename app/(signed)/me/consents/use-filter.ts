'use client';

import { useState } from 'react';
import { INTENTS } from '../../../../protocol/entities/intents.ts';
import { useAddress } from '../../../_ui/address.ts';
import type { Filter } from './consent-filter.ts';

/** The filter of the list. All but the text is in the address, so that the back button restores it. */
export function useFilter(): readonly [filter: Filter, change: (changes: Partial<Filter>) => void] {
  const { search, replace } = useAddress();
  const [text, setText] = useState('');
  const state = search.get('state');
  const filter: Filter = {
    state: state === 'inForce' || state === 'ended' ? state : null,
    grantee: search.get('with'),
    intent: INTENTS.find((intent) => intent === search.get('purpose')) ?? null,
    text,
  };

  const change = (changes: Partial<Filter>) => {
    if (changes.text !== undefined) setText(changes.text);
    const next = { ...filter, ...changes };
    const parameters = new URLSearchParams(search);
    const set = (name: string, value: string | null) =>
      value === null ? parameters.delete(name) : parameters.set(name, value);
    set('state', next.state);
    set('with', next.grantee);
    set('purpose', next.intent);
    if (String(parameters) !== String(search)) replace(`?${parameters}`);
  };
  return [filter, change];
}

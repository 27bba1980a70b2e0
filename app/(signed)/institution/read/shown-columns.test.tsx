import { renderToStaticMarkup } from 'react-dom/server';
import { IntlProvider } from 'use-intl/react';
import { expect, test } from 'vitest';
import { messagesIn } from '../../../../messages/messages.ts';
import { splitColumns } from '../../../_ui/kept-columns.ts';
import { useRecordColumns } from './shown-columns.tsx';

/** The columns that are left where the reader has hidden all of them. */
function Left() {
  const columns = useRecordColumns();
  const keys = columns.map(({ key }) => key);
  return splitColumns(columns, keys)
    .shown.map(({ key }) => key)
    .join(' ');
}

test('a record is never shown without its value with the unit, its flag and its time', () => {
  const left = renderToStaticMarkup(
    <IntlProvider locale="en" timeZone="UTC" messages={messagesIn('en')}>
      <Left />
    </IntlProvider>,
  );
  expect(left).toBe('what value flag at');
});

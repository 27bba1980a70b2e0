import { defineOperation, type Operation } from '../operation.ts';
import type { Approver } from '../proposal.ts';

type Particulars<Fields, Known> = Omit<
  Operation<Fields, Known & { readonly approver: Approver }>,
  'hints' | 'signer' | 'expectedKey' | 'introduces' | 'known' | 'seal' | 'sealedFacts'
> & { known(fields: Fields): Known };

/** What the institute's operations have in common: one of its keys stands behind them, and no signature. Protocol §3, §4. */
export const defineInstituteOperation = <Fields, Known>({ known, ...given }: Particulars<Fields, Known>) =>
  defineOperation<Fields, Known & { readonly approver: Approver }>({
    ...given,
    hints: {},
    signer: 'institute',
    expectedKey: 'institute',
    introduces: () => ({ keys: [], domains: [] }),
    known: ({ fields, message }) => ({ ...known(fields), approver: message.approver as Approver }),
    seal: () => null,
    sealedFacts: null,
  });

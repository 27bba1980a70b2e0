import type { Approver } from '../entities/proposal.ts';
import type { Defined, Operation } from '../operation.ts';

type ByApprover<PublicFacts> = PublicFacts & { readonly approver: Approver };

type Definition<Fields, PublicFacts> = Omit<
  Operation<Fields, ByApprover<PublicFacts>>,
  'signer' | 'expectedKey' | 'publicFacts'
> & { publicFacts(fields: Fields): PublicFacts };

/** An operation of the institute: an institute key authorizes the request, which has no signature. Protocol §3, §4. */
export const defineInstituteOperation =
  <Fields, PublicFacts = Fields>() =>
  <const Row extends Definition<Fields, PublicFacts>>(row: Row): Defined<Fields, ByApprover<PublicFacts>, Row> => {
    const { publicFacts, ...rest } = row as Definition<Fields, PublicFacts>;
    const operation: Operation<Fields, ByApprover<PublicFacts>> = {
      ...rest,
      signer: 'institute',
      expectedKey: 'institute',
      publicFacts: ({ fields, message }) => ({ ...publicFacts(fields), approver: message.approver as Approver }),
    };
    return operation as Defined<Fields, ByApprover<PublicFacts>, Row>;
  };

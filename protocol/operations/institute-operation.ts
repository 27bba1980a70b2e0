import type { z } from 'zod';
import type { Approver } from '../entities/proposal.ts';
import type { Defined, Named, Operation } from '../operation.ts';

type ByApprover<PublicFacts> = PublicFacts & { readonly approver: Approver };

type Definition<Fields, PublicFacts, Response extends z.ZodObject> = Omit<
  Operation<Fields, ByApprover<PublicFacts>, Response>,
  'name' | 'function' | 'signer' | 'expectedKey' | 'publicFacts'
> & { publicFacts(fields: Fields): PublicFacts };

/** An operation of the institute: an institute key authorizes the request, which has no signature. Protocol §3, §4. */
export const defineInstituteOperation =
  <Fields, PublicFacts = Fields>() =>
  <const Name extends string, const Function extends string, Response extends z.ZodObject>(
    row: Definition<Fields, PublicFacts, Response> & Named<Name, Function>,
  ): Defined<Fields, ByApprover<PublicFacts>, Name, Function, Response> => {
    const { publicFacts, ...rest } = row;
    return {
      ...rest,
      signer: 'institute',
      expectedKey: 'institute',
      publicFacts: ({ fields, message }) => ({ ...publicFacts(fields), approver: message.approver as Approver }),
    };
  };

import { Table, TableCell, TableHead, TableRow } from '../_ui/table.tsx';
import { Text } from './code.tsx';
import { anchorOf, type Member } from './members.ts';

type MemberTableProps = {
  /** The ids of the rows begin with it. */
  id: string;
  caption: string;
  /** The heading of the column that `noteOf` fills. */
  note: string;
  members: readonly Member[];
  noteOf: (member: Member) => string;
};

/** Members of a request or a response. */
export function MemberTable({ id, caption, note, members, noteOf }: MemberTableProps) {
  return (
    <Table caption={caption} columns={['Name', 'Type', note, 'Description']}>
      {members.map((member) => (
        <TableRow key={member.path}>
          <TableHead>
            <code
              id={anchorOf(id, member.path)}
              translate="no"
              className="font-mono text-sm break-all xl:break-normal xl:whitespace-nowrap target:bg-accent-soft"
            >
              {member.path}
            </code>
          </TableHead>
          <TableCell label="Type" className="md:min-w-32">
            {member.type}
          </TableCell>
          <TableCell label={note} className="md:min-w-28">
            {noteOf(member)}
          </TableCell>
          <TableCell label="Description" className="max-md:col-span-2 wrap-anywhere md:w-1/2">
            <Text>{[member.description, ...member.rules.map(sentence)].filter(Boolean).join(' ') || '–'}</Text>
          </TableCell>
        </TableRow>
      ))}
    </Table>
  );
}

const sentence = (rule: string): string => `${rule.charAt(0).toUpperCase()}${rule.slice(1)}.`;

import type { Verdict } from '../auditor/audit/report.ts';
import { runCommand } from './command.ts';

// A command whose verdict is its argument.
await runCommand({ usage: '', progress: 'Testing' }, async ([verdict]) => verdict as Verdict);

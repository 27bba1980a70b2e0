// Test code: the thread that checks entries, with the operation of docs/adding-an-operation.md in its table.
import './test-renew-beo.ts';
import '../../auditor/audit/check.worker.ts';

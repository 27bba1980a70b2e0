import { answerWith } from '../../../_ui/in-worker.ts';
import { parseFile } from './parse-file.ts';

answerWith(parseFile);

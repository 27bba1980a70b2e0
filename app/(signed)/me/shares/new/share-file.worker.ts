import { answerWith } from '../../../../_ui/in-worker.ts';
import { shareFile } from './share-file.ts';

answerWith(shareFile);

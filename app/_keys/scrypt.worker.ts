import { answerWith } from '../_ui/in-worker.ts';
import { derive } from './scrypt.ts';

answerWith(derive);

import { ROUTES } from '../rest/routes.ts';
import { type ApiModel, describeApi } from './model.ts';

let described: ApiModel | undefined;

/** The model of the whole API, built when it is first read. */
export const describedApi = (): ApiModel => {
  described ??= describeApi(ROUTES);
  return described;
};

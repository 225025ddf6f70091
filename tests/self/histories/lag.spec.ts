/** How long reads were behind writes, as far as answers prove it. */
import { measureLag } from '../../../fixtures/judgement/store/presence.ts';
import { judgeOf, judgesStories } from './rows.ts';

judgesStories('reads behind writes', (told) => measureLag(judgeOf(told).presence.histories()), {
  'the last read that lacked an animal says how long, whenever it was shown': {
    '0 +1; 20 []; 35 []; 40 [1]': 30,
    '0 +1; 20 []; 35 []; 90 [1]': 30,
    '0 +1; 25 404 1; 80 get 1': 20,
  },
  'an animal that is shown at once, or gone, proves no lag': {
    '0 +1; 20 [1]; 35 [1]': null,
    '0 +1; 20 [1]; 35 []; 400 []': null,
  },
});

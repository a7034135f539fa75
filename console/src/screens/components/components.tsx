import { HoldfastError } from '../../api/client.js';
import { Page } from '../../shell/page.js';
import { Button } from '../../ui/button.js';
import { TextField } from '../../ui/field.js';
import { Row, Section } from '../../ui/layout.js';
import { ErrorNotice } from '../../ui/notice.js';
import { Progress } from '../../ui/progress.js';
import { Skeleton } from '../../ui/query-view.js';
import { State } from '../../ui/state.js';

const states = ['protected', 'late', 'unknown', 'damaged', 'running', 'off'] as const;

/** Rare states of components, for developers of the console; in English only. */
export default function Components() {
  return (
    <div translate={false} lang="en">
      <Page title="Components">
        <Section title="States" card>
          <Row>
            {states.map((state) => (
              <State key={state} state={state} />
            ))}
            <Button disabled>Disabled</Button>
            <Button busy>Busy</Button>
          </Row>
          <TextField label="Wrong" error="Empty" value="" onValue={() => undefined} />
          <ErrorNotice error={new HoldfastError({ status: 0, detail: '' })} />
          <Progress percent={null} label="Unknown progress" />
          <Skeleton lines={2} />
        </Section>
      </Page>
    </div>
  );
}

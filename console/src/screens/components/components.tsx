import { Archive } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { HoldfastError } from '../../api/client.js';
import { Button, ButtonLink, IconButton } from '../../ui/button.js';
import { Copyable } from '../../ui/copy.js';
import { ConfirmDialog } from '../../ui/dialog.js';
import { CheckField, RadioGroup, SecretField, SelectField, TextArea, TextField } from '../../ui/field.js';
import { Empty, Facts, Page, Row, Section, Stack } from '../../ui/layout.js';
import { List, ListItem } from '../../ui/list.js';
import { Menu } from '../../ui/menu.js';
import { ErrorNotice, Notice } from '../../ui/notice.js';
import { Meter, Progress } from '../../ui/progress.js';
import { Skeleton } from '../../ui/query-view.js';
import { State } from '../../ui/state.js';
import { Strip } from '../../ui/strip.js';
import { Tabs } from '../../ui/tabs.js';
import { Time } from '../../ui/time.js';

const states = ['protected', 'late', 'unknown', 'damaged', 'running', 'off'] as const;
const long =
  'A name that is much longer than anybody expected when the page was drawn, and still has to be read';
const options = [
  { value: 'one', label: 'One', hint: 'What it means' },
  { value: 'two', label: 'Two' },
  { value: 'three', label: 'Three', disabled: true },
];

/** All parts of the console in all their states: for those who build it, in English only. */
export default function Components() {
  const [text, setText] = useState('Text');
  const [choice, setChoice] = useState('one');
  const [isOn, setOn] = useState(true);
  const [isAsking, setAsking] = useState(false);
  return (
    <div translate={false} lang="en">
      <Page title="Components" lead="Each part in each of its states" up={['System', '/settings/system']}>
        <Tabs
          label="Parts"
          tabs={[
            ['Components', '/components'],
            ['Home', '/'],
          ]}
        />
        <Section title="States" card>
          <Row>
            {states.map((state) => (
              <State key={state} state={state} />
            ))}
          </Row>
        </Section>
        <Section title="Buttons" card>
          <Row>
            <Button look="primary">Primary</Button>
            <Button>Plain</Button>
            <Button look="quiet">Quiet</Button>
            <Button look="danger">Danger</Button>
            <Button disabled>Disabled</Button>
            <Button look="primary" busy>
              Busy
            </Button>
            <ButtonLink href="/components">Link</ButtonLink>
            <IconButton label="With an icon">
              <Archive aria-hidden="true" size={20} />
            </IconButton>
            <Menu
              label="More"
              items={[
                { label: 'An action', onSelect: () => undefined },
                { label: 'Not now', disabled: true, onSelect: () => undefined },
                { label: 'Delete', danger: true, onSelect: () => setAsking(true) },
              ]}
            />
          </Row>
        </Section>
        <Section title="Notices">
          <Notice title="Good to know">With a sentence.</Notice>
          <Notice kind="good">It is done.</Notice>
          <Notice kind="warning" action={<Button>Do it</Button>}>
            Something needs a person.
          </Notice>
          <ErrorNotice
            error={new HoldfastError({ status: 409, detail: 'The repository is locked by another job.' })}
          />
          <ErrorNotice error={new HoldfastError({ status: 0, detail: '' })} />
        </Section>
        <Section title="Fields" card>
          <Stack>
            <TextField label="Text" hint="What helps" value={text} onValue={setText} />
            <TextField label="Wrong" error="It must not be empty." value={text} onValue={setText} />
            <TextField label="Disabled" disabled value={text} onValue={setText} />
            <SecretField label="Secret" autoComplete="off" value={text} onValue={setText} />
            <TextArea label="Several lines" code value={text} onValue={setText} />
            <SelectField
              label="Choice"
              value={choice}
              onValue={setChoice}
              options={[
                ['one', 'One'],
                ['two', long],
              ]}
            />
            <CheckField label="A box" hint="What it does" checked={isOn} onChecked={setOn} />
            <CheckField switch label="A switch" checked={isOn} onChecked={setOn} />
            <RadioGroup legend="One of several" value={choice} onValue={setChoice} options={options} />
          </Stack>
        </Section>
        <Section title="Lists">
          <List label="Examples">
            <ListItem href="/components" title="photos" note="newest archive 9 hours ago">
              <State state="protected" />
              <Strip days="oooowoofooooooooooooomllooooo-" lastDay="2026-03-01" />
            </ListItem>
            <ListItem title={long} note={long} actions={<Button>Act</Button>}>
              <State state="late" />
            </ListItem>
          </List>
        </Section>
        <Section title="Figures" card>
          <Stack>
            <Facts
              facts={[
                ['Files', '12,431'],
                ['Newest', <Time key="newest" at="2026-03-01T02:00:00Z" />],
                ['A long one', long],
              ]}
            />
            <Progress percent={58} label="Progress" note="4 min left" />
            <Progress percent={null} label="Unknown progress" />
            <Meter percent={40} label="40 % full" />
            <Meter percent={93} label="93 % full" full />
            <Copyable label="A command" text="borg list ssh://backup@nas/./photos" />
          </Stack>
        </Section>
        <Section title="Nothing, and not yet">
          <Empty action={<Button look="primary">Begin</Button>}>There is nothing here.</Empty>
          <Skeleton lines={2} />
        </Section>
        {isAsking && (
          <ConfirmDialog
            title="Delete it?"
            action="Delete"
            danger
            typed="photos"
            onConfirm={() => undefined}
            onClose={() => setAsking(false)}
          >
            <p>This can’t be undone.</p>
          </ConfirmDialog>
        )}
      </Page>
    </div>
  );
}

import '#web/ui/base.css';
import '#web/ui/screen-layout.css';
import '#web/ui/font/font.css';
import '#web/ui/screen.css';
import './kit.css';
import { type ReactNode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Button, type ButtonTone, IconButton, LinkButton } from '#web/ui/button.tsx';
import { ChoiceField } from '#web/ui/choice-field.tsx';
import { CopyText } from '#web/ui/copy-button.tsx';
import { CountBars, Sparkline } from '#web/ui/count-bars.tsx';
import { Face } from '#web/ui/face.tsx';
import { Field, PasswordField, SelectField, TextField } from '#web/ui/field.tsx';
import { Icon, type IconName } from '#web/ui/icon.tsx';
import { drawings } from '#web/ui/icon-drawings.ts';
import { Key } from '#web/ui/key.tsx';
import { Menu } from '#web/ui/menu.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { OptionList } from '#web/ui/option-list.tsx';
import { Popover } from '#web/ui/popover.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { EmptyState, ErrorState, RetryNotice, Skeleton } from '#web/ui/states.tsx';
import { SuggestInput } from '#web/ui/suggest-input.tsx';
import { Table } from '#web/ui/table.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { Checkbox, SearchInput, Switch, TextArea, TextInput } from '#web/ui/text-input.tsx';
import { Trend } from '#web/ui/trend.tsx';
import { type UsualWords, UsualWordsContext } from '#web/ui/usual-words.ts';
import { ConfirmDialog } from '#web/ui/confirm-action.tsx';

// The page of the kit, `npm run kit`: each control of `src/ui` in each state. What is not here is not in the kit.

const nothing = () => undefined;
const retry = { label: 'Try again', onRetry: nothing };
const tones: ButtonTone[] = ['primary', 'plain', 'quiet', 'danger', 'danger-primary'];
const days = Array.from({ length: 14 }, (_, day) => ({ day, value: (day * 7) % 12 }));

function Kit() {
  return (
    <main className="kit">
      <h1>Kit</h1>
      <Theme />
      <Part name="Buttons">
        {tones.map((tone) => (
          <Row key={tone} name={tone}>
            <Button tone={tone}>Save</Button>
            <Button tone={tone} icon="plus">
              Add
            </Button>
            <Button tone={tone} small>
              Small
            </Button>
            <Button tone={tone} disabled>
              Disabled
            </Button>
            <Button tone={tone} busy>
              Busy
            </Button>
          </Row>
        ))}
        <Row name="others">
          <IconButton icon="edit" label="Edit" />
          <IconButton icon="trash" label="Remove" small />
          <LinkButton href="#kit">A link</LinkButton>
        </Row>
      </Part>
      <Part name="Fields">
        <Fields />
      </Part>
      <Part name="Choices">
        <Choices />
      </Part>
      <Part name="Tags">
        <Row name="kinds">
          {(['plain', 'ok', 'info', 'medium', 'high'] as const).map((kind) => (
            <Tag key={kind} kind={kind}>
              {kind}
            </Tag>
          ))}
        </Row>
        <Row name="others">
          <Key name="Ctrl K" />
          <Face letters="AK" of="Ada King" />
          <Face letters="BB" of="Bert Brown" size="small" />
          <Spinner label="Loading" />
        </Row>
      </Part>
      <Part name="Notices">
        {(['info', 'ok', 'medium', 'high'] as const).map((severity) => (
          <Notice key={severity} severity={severity} title={`A notice: ${severity}`}>
            One sentence that says what happened, and what to do.
          </Notice>
        ))}
        <RetryNotice retry={retry}>It could not be loaded.</RetryNotice>
      </Part>
      <Part name="States">
        <EmptyState icon="inbox" title="Nothing here yet" action={<Button tone="primary">Add one</Button>}>
          What belongs here, in one line.
        </EmptyState>
        <ErrorState title="It could not be loaded" retry={retry}>
          Nothing was changed. Try again.
        </ErrorState>
        <Skeleton label="Loading text" title />
        <Skeleton label="Loading rows" kind="rows" />
      </Part>
      <Part name="Menus">
        <Menus />
      </Part>
      <Part name="Lists">
        <Lists />
      </Part>
      <Part name="Pictures">
        <Trend
          kind="line"
          label="Fourteen days, 0 to 11"
          points={days.map(({ day, value }) => ({ value, text: `Day ${day}: ${value}` }))}
        />
        <CountBars
          label="Fourteen days, 73 in all"
          bars={days.map(({ day, value }) => ({ value, text: `Day ${day}: ${value}` }))}
          top={String}
          ends={['First', 'Middle', 'Last']}
        />
        <Sparkline counts={days.map(({ value }) => value)} />
      </Part>
      <Part name="Icons">
        <ul className="kit-icons grid gap-2">
          {(Object.keys(drawings) as IconName[]).map((name) => (
            <li key={name}>
              <Icon name={name} /> {name}
            </li>
          ))}
        </ul>
      </Part>
    </main>
  );
}

function Theme() {
  const [theme, setTheme] = useState('');
  return (
    <Row name="scheme">
      {['light', 'dark'].map((one) => (
        <Button
          key={one}
          small
          aria-pressed={theme === one}
          onClick={() => {
            document.documentElement.dataset['theme'] = one;
            setTheme(one);
          }}
        >
          {one}
        </Button>
      ))}
    </Row>
  );
}

function Part({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section className="kit-part shrinks ruled stack gap-4" aria-label={name}>
      <h2>{name}</h2>
      {children}
    </section>
  );
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="kit-row grid middle gap-3">
      <span className="muted small">{name}</span>
      <div className="row wrap gap-2">{children}</div>
    </div>
  );
}

function Fields() {
  const [text, setText] = useState('Ada');
  const fields = { value: text, onValue: setText };
  return (
    <div className="kit-fields grid gap-4 top">
      <TextField label="Text" hint="A hint in one line." {...fields} />
      <TextField label="Required" required error="Please enter a name." {...fields} />
      <Field label="Disabled">{(control) => <TextInput {...control} {...fields} disabled />}</Field>
      <SelectField
        label="Select"
        value="a"
        onValue={nothing}
        options={[
          { value: 'a', label: 'First' },
          { value: 'b', label: 'Second' },
        ]}
      />
      <ChoiceField
        label="Choice of many"
        shown="First"
        search="Find one"
        empty="Nothing fits."
        options={(typed) =>
          ['First', 'Second'].filter((key) => key.includes(typed)).map((key) => ({ key, label: key }))
        }
        onPick={nothing}
      />
      <Field label="With suggestions">
        {(control) => (
          <SuggestInput
            {...control}
            {...fields}
            options={[
              { key: 'first', label: 'first', hint: 'Of two' },
              { key: 'second', label: 'second' },
            ]}
          />
        )}
      </Field>
      <PasswordField label="Password" {...fields} showLabel="Show" hideLabel="Hide" />
      <SearchInput label="Search" value="" onValue={nothing} />
      <Field label="Several lines">{(control) => <TextArea {...control} {...fields} rows={3} />}</Field>
      <CopyText text="key_1234" once={false} label="To copy" copy="Copy" />
    </div>
  );
}

function Choices() {
  const [on, setOn] = useState(true);
  const [tab, setTab] = useState<'one' | 'two'>('one');
  return (
    <>
      <Row name="checkbox">
        <Checkbox label="Checked" checked={on} onChecked={setOn} />
        <Checkbox label="Unchecked" checked={!on} onChecked={(checked) => setOn(!checked)} />
        <Checkbox label="Disabled" hint="With a hint" checked={false} disabled onChecked={nothing} />
      </Row>
      <Row name="switch">
        <Switch label="On" checked={on} onChecked={setOn} />
        <Switch label="Off" checked={!on} onChecked={(checked) => setOn(!checked)} />
        <Switch label="Disabled" checked={false} disabled onChecked={nothing} />
      </Row>
      <Tabs
        label="Tabs"
        tabs={[
          { key: 'one', label: 'First', count: '3' },
          { key: 'two', label: 'Second' },
        ]}
        chosen={tab}
        onChoose={setTab}
      >
        <p>What the tab {tab} shows.</p>
      </Tabs>
    </>
  );
}

function Menus() {
  const [typed, setTyped] = useState('');
  const [asking, setAsking] = useState(false);
  const people = ['Ada King', 'Bert Brown', 'Cleo Day'].filter((name) => name.includes(typed));
  return (
    <Row name="opened by a press">
      <Menu
        label="More"
        align="start"
        button={
          <>
            More <Icon name="chevron-down" />
          </>
        }
        items={[
          { label: 'Edit', icon: 'edit', onSelect: nothing },
          { label: 'Not now', disabled: true, onSelect: nothing },
          { label: 'Remove', icon: 'trash', danger: true, onSelect: nothing },
        ]}
      />
      <Popover label="Assign" button="Assign">
        {(close) => (
          <OptionList
            label="Assign to"
            search="Find a person"
            typed={typed}
            onType={setTyped}
            options={people.map((name) => ({
              key: name,
              label: name,
              mark: <Face letters={name.slice(0, 1)} of={name} size="small" />,
              checked: name === 'Ada King',
            }))}
            empty="Nobody found"
            onPick={close}
          />
        )}
      </Popover>
      <Button onClick={() => setAsking(true)}>Ask</Button>
      <ConfirmDialog
        open={asking}
        title="Remove it?"
        confirmLabel="Remove"
        cancelLabel="Cancel"
        tone="danger"
        onConfirm={() => setAsking(false)}
        onCancel={() => setAsking(false)}
      >
        <p>It is deleted for everyone; this cannot be undone.</p>
      </ConfirmDialog>
    </Row>
  );
}

function Lists() {
  const rows = [
    { name: 'First', state: 'ok' as const, count: 12 },
    { name: 'Second', state: 'high' as const, count: 3 },
  ];
  return (
    <Table
      caption="A list"
      columns={[
        { key: 'name', header: 'Name', role: 'primary', cell: ({ name }) => <strong>{name}</strong> },
        { key: 'state', header: 'State', cell: ({ state }) => <Tag kind={state}>{state}</Tag> },
        { key: 'count', header: 'Count', align: 'end', tight: true, cell: ({ count }) => count },
      ]}
      rows={rows}
      rowKey={({ name }) => name}
      open={{ act: nothing }}
    />
  );
}

const root = document.getElementById('root');
const words: UsualWords = {
  close: 'Close',
  required: '(required)',
  copied: 'Copied.',
  copyFailed: 'Select it and copy it.',
  loss: (_loss, part) => ({ question: 'Discard it?', stay: 'Go back', leave: 'Discard' })[part],
};
if (root !== null)
  createRoot(root).render(
    <UsualWordsContext value={words}>
      <Kit />
    </UsualWordsContext>,
  );

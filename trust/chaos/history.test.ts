import { expect, it } from 'vitest'
import { type Acknowledged, type History, type Settled, violationsOf } from './history.ts'

const version = (id: string, sequence: number) => ({ id, sequence, tag: `${id} ${sequence}` })

function acknowledged(key: string, data: object): Acknowledged {
  return {
    operation: 'createVenues',
    request: { idempotencyKey: key },
    status: 201,
    text: JSON.stringify({ data }),
    milliseconds: 1,
    attempts: 1,
  }
}

/** Two venues, of which one was changed, and a study. */
const history: History = {
  acknowledged: [
    acknowledged('first', version('venue_a', 1)),
    acknowledged('second', version('venue_b', 1)),
    acknowledged('third', version('venue_a', 2)),
    acknowledged('study', { study: { id: 'study_a' }, job: { id: 'job_a' } }),
  ],
  surprises: [],
}
const settled = {
  records: [version('venue_a', 2), version('venue_b', 1)].map((one) => JSON.stringify(one)),
  studies: ['study_a'],
  replays: history.acknowledged.map(({ status, text }) => ({ status, text, isReplayed: true })),
  events: ['venue_a 1', 'venue_b 1', 'venue_a 2', 'study_a 1'],
  delivered: ['venue_a 1', 'venue_b 1', 'venue_a 2', 'venue_a 2', 'study_a 1'],
  jobs: [{ id: 'job_a', kind: 'STUDY_RUN', status: 'COMPLETED' }],
  faults: [],
} satisfies Settled

it('finds nothing if every acknowledged change exists once; a message may arrive twice', () => {
  expect(violationsOf(history, settled)).toEqual([])
})

it.each<[string, Partial<Settled>, string]>([
  [
    'a lost record',
    { records: settled.records.slice(0, 1) },
    'venue_b was acknowledged and is missing',
  ],
  [
    'a record that no client was told of',
    { records: [...settled.records, JSON.stringify(version('venue_c', 1))] },
    'venue_c exists, and no client was told of it',
  ],
  [
    'a change that was made twice',
    { records: [JSON.stringify(version('venue_a', 3)), ...settled.records.slice(1)] },
    'venue_a has 3 versions; acknowledged were 1, 2',
  ],
  [
    'a change that was lost',
    { records: [JSON.stringify(version('venue_a', 1)), ...settled.records.slice(1)] },
    'venue_a has 1 versions; acknowledged were 1, 2',
  ],
  [
    'a record in other bytes than it was acknowledged in',
    {
      records: [
        JSON.stringify({ ...version('venue_a', 2), tag: 'x' }),
        ...settled.records.slice(1),
      ],
    },
    'venue_a differs from version 2 as acknowledged',
  ],
  [
    'a key that returns other bytes',
    { replays: settled.replays.with(1, { status: 201, text: '{}', isReplayed: true }) },
    'the key second returns other bytes than at first',
  ],
  [
    'a forgotten key',
    {
      replays: settled.replays
        .map((one) => ({ ...one, isReplayed: false }))
        .with(3, settled.replays[3]!),
    },
    'the key first was forgotten, and its request processed again: 201',
  ],
  [
    'a key that was not sent again',
    { replays: settled.replays.slice(0, 3) },
    'the key study was not sent again',
  ],
  [
    'an event that was not delivered',
    { delivered: settled.delivered.filter((one) => one !== 'venue_b 1') },
    'event venue_b 1 was never delivered',
  ],
  [
    'a message of no event',
    { delivered: [...settled.delivered, 'venue_z 1'] },
    'venue_z 1 was delivered, and no such event exists',
  ],
  [
    'a version without its event',
    { events: settled.events.slice(1), delivered: settled.delivered.slice(1) },
    'venue_a 1 has no event',
  ],
  [
    'an event that the feed lists twice',
    { events: [...settled.events, 'venue_b 1'] },
    'the feed lists an event twice',
  ],
  [
    'a key without an answer',
    { replays: [...settled.replays.slice(0, 1), null, ...settled.replays.slice(2)] },
    'the key second got no answer when it was sent again',
  ],
  [
    'an event of a change that no client was told of',
    { events: [...settled.events, 'venue_b 2'], delivered: [...settled.delivered, 'venue_b 2'] },
    'event venue_b 2 belongs to no acknowledged change',
  ],
  [
    'a study that was made twice',
    { studies: ['study_a', 'study_b'] },
    'study_b exists, and no client was told of it',
  ],
  ['a lost study', { studies: [] }, 'study_a was acknowledged and is missing'],
  [
    'a job that was queued twice',
    {
      jobs: [
        { id: 'job_a', kind: 'STUDY_RUN', status: 'COMPLETED' },
        { id: 'job_b', kind: 'STUDY_RUN', status: 'COMPLETED' },
      ],
    },
    'job job_b exists, and no client was told of it',
  ],
  ['a lost job', { jobs: [] }, 'job job_a was acknowledged and is lost'],
  [
    'a job that does not end',
    { jobs: [{ id: 'job_a', kind: 'STUDY_RUN', status: 'RUNNING' }] },
    'job job_a is RUNNING',
  ],
  ['a broken chain', { faults: ['verify-history: broken'] }, 'verify-history: broken'],
])('finds %s', (_name, change, violation) => {
  expect(violationsOf(history, { ...settled, ...change })).toContain(violation)
})

it('finds a change that was acknowledged twice under two keys', () => {
  const twice = [...history.acknowledged, acknowledged('fifth', version('venue_b', 1))]
  const replays = twice.map(({ status, text }) => ({ status, text, isReplayed: true }))
  expect(violationsOf({ ...history, acknowledged: twice }, { ...settled, replays })).toEqual([
    'venue_b has 1 versions; acknowledged were 1, 1',
  ])
})

it('skips the checks of a part that could not be read', () => {
  const unread: Settled = { ...settled, records: null, studies: null, events: null, jobs: null }
  expect(violationsOf(history, { ...unread, faults: ['listing the jobs failed'] })).toEqual([
    'listing the jobs failed',
  ])
})

it('reports the surprises of clients', () => {
  expect(violationsOf({ ...history, surprises: ['a read was answered 500'] }, settled)).toEqual([
    'a read was answered 500',
  ])
})

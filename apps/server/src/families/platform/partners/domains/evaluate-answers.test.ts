import type { contract } from '@liquidity-os/contract'
import { expect, it } from 'vitest'
import { combineAnswers } from './evaluate-answers.ts'

type Answer = contract.PartnerDomainAnswer
const name = '_a._liquidity-os-challenge.host.example'

const answer = (
  outcome: Answer['outcome'],
  { role = 'AUTHORITATIVE', alias = null, name: questionName = name }: Partial<Answer> = {},
): Answer => ({
  server: 'ns.example',
  address: '192.0.2.1',
  role,
  name: questionName,
  outcome,
  values: [],
  alias,
  detail: '',
})
const recursive = { role: 'RECURSIVE' } as const

it.each<[string, Answer[], ReturnType<typeof combineAnswers>]>([
  ['nobody', [], 'UNANSWERED'],
  ['one authority', [answer('PROVEN')], 'PROVEN'],
  ['authorities and the resolver', [answer('PROVEN'), answer('PROVEN', recursive)], 'PROVEN'],
  ['the resolver alone', [answer('PROVEN', recursive)], 'UNANSWERED'],
  [
    'silent authorities beside the resolver',
    [answer('SILENT'), answer('PROVEN', recursive)],
    'UNANSWERED',
  ],
  ['one that is silent beside one that has it', [answer('SILENT'), answer('PROVEN')], 'PROVEN'],
  ['one at an address that is not public', [answer('NOT_ASKED')], 'UNANSWERED'],
  ['one that has it and one that has not', [answer('PROVEN'), answer('ABSENT')], 'SPLIT'],
  ['a resolver that still has nothing', [answer('PROVEN'), answer('ABSENT', recursive)], 'SPLIT'],
  ['a resolver that is ahead', [answer('ABSENT'), answer('PROVEN', recursive)], 'NOT_PROVEN'],
  ['another value', [answer('OTHER_VALUE'), answer('OTHER_VALUE', recursive)], 'NOT_PROVEN'],
  ['a wildcard', [answer('WILDCARD')], 'NOT_PROVEN'],
  ['a wildcard at one server of two', [answer('PROVEN'), answer('WILDCARD')], 'SPLIT'],
  [
    'an alias whose other name has it',
    [answer('ALIAS', { alias: 'b.example' }), answer('PROVEN', { name: 'b.example' })],
    'PROVEN',
  ],
  ['an alias that leads nowhere', [answer('ALIAS', { alias: 'b.example' })], 'NOT_PROVEN'],
  [
    'two aliases of one name',
    [
      answer('ALIAS', { alias: 'b.example' }),
      answer('ALIAS', { alias: 'c.example' }),
      answer('PROVEN', { name: 'b.example' }),
      answer('PROVEN', { name: 'c.example' }),
    ],
    'SPLIT',
  ],
])('hears %s', (_, answers, verdict) => {
  expect(combineAnswers(answers)).toBe(verdict)
})

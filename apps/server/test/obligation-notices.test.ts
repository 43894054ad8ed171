import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { expect } from 'vitest'
import { notifyObligations } from '../src/families/plan/treasury-entries/obligation-notices.ts'
import { dayMilliseconds } from '../src/units.ts'
import { verifyHistory } from '../src/whole-history.ts'
import { it } from './support/fixtures.ts'
import { callOperation } from './support/requests.ts'
import { signInAgain, type TestMember, type TestService } from './support/service.ts'

type Entry = VersionedRecord<contract.TreasuryBucket>

const reason = 'For the test'

async function pass(service: TestService, owner: TestMember, milliseconds: number) {
  service.clock.advance(milliseconds)
  // Sessions end meanwhile.
  await signInAgain(service, owner)
}

async function notices(owner: TestMember, id: string) {
  const query = { kind: 'treasury.entry.coming_due', limit: '100' }
  const { data } = await callOperation<contract.EventsRead>(owner, 'listEvents', { query })
  return data.events.filter(({ subject }) => subject.id === id).map(({ payload }) => payload)
}

it('an obligation is announced 30 days, 7 days and 1 day ahead, once each, until it is retired', async ({
  service,
  owner,
}) => {
  const dueAt = new Date(service.clock.read() + 31 * dayMilliseconds).toISOString()
  const owe = async (reference: string) => {
    const obligation = {
      obligationKind: 'VENDOR',
      counterparty: 'Auditor',
      reference,
      amount: '700',
      certainty: 'EXPECTED',
      schedule: { kind: 'ONE_OFF', at: dueAt },
    }
    const base = { entryKind: 'OBLIGATION', label: 'Audit', asset: 'iso4217:EUR' }
    const { data } = await callOperation<Entry>(owner, 'createTreasuryEntries', {
      body: { payload: { ...base, purpose: 'OPERATING', obligation }, reason },
    })
    return data
  }
  const [kept, ended] = [await owe('Report'), await owe('Other report')]
  const sweep = async () => {
    await notifyObligations(service.services)
    await notifyObligations(service.services)
  }
  await sweep()
  expect(await notices(owner, kept.id)).toEqual([])
  await pass(service, owner, dayMilliseconds)
  await sweep()
  const statement = { dueAt, asset: 'iso4217:EUR', amount: '700', obligationKind: 'VENDOR' }
  const within = (withinDays: number) => ({ ...statement, certainty: 'EXPECTED', withinDays })
  expect(await notices(owner, kept.id)).toMatchObject([within(30)])
  await callOperation(owner, 'retireTreasuryLedgerEntry', {
    params: { id: ended.id },
    ifMatch: ended.resourceVersion,
    body: { disposition: 'CANCELLED', reason },
  })
  for (const days of [23, 6, 2]) {
    await pass(service, owner, days * dayMilliseconds)
    await sweep()
  }
  const days = (some: contract.EventsRead['events'][number]['payload'][]) =>
    some.map(({ withinDays }) => Number(withinDays)).toSorted((a, b) => b - a)
  expect([days(await notices(owner, kept.id)), days(await notices(owner, ended.id))]).toEqual([
    [30, 7, 1],
    [30],
  ])
  const { database, artifacts } = service.services
  expect((await verifyHistory(database, owner.organizationId, artifacts)).faults).toEqual([])
})

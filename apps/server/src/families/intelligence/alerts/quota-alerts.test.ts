import { expect, it } from 'vitest'
import { quotaAlerts } from './quota-alerts.ts'

const now = Date.parse('2026-01-05T12:00:00Z')
const provider = (limits?: object) =>
  ({
    resourceType: 'Provider',
    id: 'provider_1',
    resourceVersion: '0x01',
    payload: { displayName: 'Main node', configuration: { chainId: 1, ...(limits && { limits }) } },
  }) as unknown as Parameters<typeof quotaAlerts>[0][number]
const spent = (credits: number) => [{ provider_id: 'provider_1', credits: `${credits}` }]

it.each([
  [799, []],
  [800, ['WARNING']],
  [949, ['WARNING']],
  [950, ['CRITICAL']],
])('opens from 80 %% of the credits: %i of 1000', (credits, severities) => {
  const alerts = quotaAlerts([provider({ creditsPerDay: 1000 })], spent(credits), now)
  expect(alerts.map(({ severity }) => severity)).toEqual(severities)
})

it('names the share, and needs a configured number of credits', () => {
  const [alert] = quotaAlerts([provider({ creditsPerDay: 1000 })], spent(876), now)
  expect(alert).toMatchObject({ kind: 'PROVIDER_QUOTA', openedAt: '2026-01-05T00:00:00.000Z' })
  expect(alert?.title).toMatch(/^Main node has used 87 % of its 1000 credits of today\./)
  expect(quotaAlerts([provider()], spent(5000), now)).toEqual([])
  expect(quotaAlerts([provider({ creditsPerDay: 1000 })], [], now)).toEqual([])
})

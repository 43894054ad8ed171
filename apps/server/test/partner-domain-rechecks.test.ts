import { expect, it, onTestFinished } from 'vitest'
import { queueDue } from '../src/jobs/schedules.ts'
import { startWorkers } from '../src/service.ts'
import { dayMilliseconds, hourMilliseconds } from '../src/units.ts'
import { boundHost, type Challenge, startPartnerScene } from './support/partnering.ts'
import { callOperation } from './support/requests.ts'
import { newMember, newOrganization } from './support/service.ts'
import { until } from './support/until.ts'

it('a bound host lapses after daily rechecks that do not find its record for 72 hours', async () => {
  const scene = await startPartnerScene()
  onTestFinished(() => scene.stop())
  const { organizationId } = await newOrganization(scene.service)
  // Sessions end as the clock moves on.
  const signedIn = () => newMember(scene.service, organizationId, 'OWNER')
  const host = scene.hosts.shift()!
  scene.names.zone(host)
  const held = await boundHost(scene, await signedIn(), host)
  scene.names.publish(held.payload.recordName, null)
  const workers = await startWorkers(scene.service.services)
  const seen: string[] = []
  for (let day = 0; day < 4; day += 1) {
    scene.service.clock.advance(dayMilliseconds + hourMilliseconds)
    const owner = await signedIn()
    await queueDue(scene.service.services)
    const rechecked = await until(`recheck ${day}`, async () => {
      const { data } = await callOperation<Challenge>(owner, 'getPartnerDomainChallenge', {
        params: { id: held.id },
      })
      return data.payload.observations.length === day + 2 ? data : null
    })
    seen.push(`${rechecked.status} ${rechecked.payload.failing?.checks}`)
  }
  await workers.stop()
  expect(seen).toEqual(['ACTIVE 1', 'ACTIVE 2', 'ACTIVE 3', 'PAUSED 4'])
  const mails = scene.mailbox.mails.filter(({ subject }) => subject?.includes(host))
  expect(mails.length).toBeGreaterThan(0)
  expect(mails[0]?.text).toContain('The service no longer shows a brand on it.')
})

// @module-tag postgres

import { readFileSync } from 'node:fs'
import { servedWhenFull } from '@liquidity-os/contract'
import { expect, it } from 'vitest'
import { runCommand } from '../src/cli/administer.ts'
import type { CommandInput, CommandName } from '../src/cli/commands.ts'
import { measureDue } from '../src/jobs/usage.ts'
import { bookmarkBody } from './support/bodies.ts'
import {
  newOrganization,
  serviceForTest,
  type TestMember,
  type TestService,
} from './support/service.ts'
import { fill, full, held, writes } from './support/usage.ts'

/** As the operator's command line has it done. */
const administer = <N extends CommandName>(
  { database, config, clock }: TestService,
  name: N,
  input: CommandInput<N>,
) => runCommand({ database, config, now: clock.read() }, name, input)

it('applies the limit of the organization, and states it in the rejection', async () => {
  const service = await serviceForTest({ MAX_ORGANIZATION_BYTES: '20000' })
  const [owner, other] = [await newOrganization(service), await newOrganization(service)]
  const limit = async (by: TestMember, maxBytes: number | null) => {
    await administer(service, 'org.limit', { organizationId: by.organizationId, maxBytes })
    // What was asked for since is read again with every telling.
    await service.services.usage.flush()
  }
  await fill(owner)
  await limit(owner, 1_000_000)
  expect((await writes(owner)).status).toBe(201)
  expect((await writes(other)).status).toBe(201)
  await limit(other, 100)
  const refused = await other.client
    .savePlatformProject({ body: bookmarkBody(5) })
    .catch((error) => error)
  expect(refused).toMatchObject({ ...full, message: expect.stringContaining('of 100 bytes.') })
  await limit(other, null)
  expect((await writes(other)).status).toBe(201)
  await limit(owner, null)
  expect(await writes(owner)).toMatchObject(full)
})

it('sets no limit that would have no effect or for a missing organization', async () => {
  const service = await serviceForTest()
  const { organizationId } = await newOrganization(service)
  const limited = (input: { organizationId: string; maxBytes: number | null }) =>
    administer(service, 'org.limit', input)
  await expect(limited({ organizationId, maxBytes: 5 })).rejects.toThrow('MAX_ORGANIZATION_BYTES')
  await expect(limited({ organizationId: 'org_none', maxBytes: 5 })).rejects.toThrow('org_none')
  expect(await limited({ organizationId, maxBytes: null })).toMatchObject({
    organizations: [{ organizationId, mostBytes: null, isOwn: false }],
  })
})

it('exports the metrics of the fullest organizations, at most ten', async () => {
  const service = await serviceForTest({ MAX_ORGANIZATION_BYTES: '1000000' })
  const members: TestMember[] = []
  for (let made = 0; made < 12; made += 1) members.push(await newOrganization(service))
  for (const by of members) await writes(by)
  const [first, second] = members.slice(-2)
  if (!first || !second) throw new Error('Twelve were made.')
  await administer(service, 'org.limit', { organizationId: second.organizationId, maxBytes: 5000 })
  await administer(service, 'org.limit', { organizationId: first.organizationId, maxBytes: 9000 })
  await measureDue(service.services)
  const text = await service.services.metrics.print()
  const series = (name: string) =>
    [...text.matchAll(new RegExp(`^${name}\\{organization="(\\w+)"\\} (\\d+)$`, 'gm'))].map(
      ([, id, value]) => [id, Number(value)],
    )
  const kept = series('liquidity_organization_kept_bytes')
  expect(kept).toHaveLength(10)
  expect(kept.slice(0, 2)).toEqual([
    [second.organizationId, await held(service, second)],
    [first.organizationId, await held(service, first)],
  ])
  const max = series('liquidity_organization_most_bytes')
  expect(max.map(([id]) => id)).toEqual(kept.map(([id]) => id))
  expect(max.slice(0, 3).map(([, value]) => value)).toEqual([5000, 9000, 1_000_000])
})

it('warns the operator, the fullest first; the guide names the effects of a full quota', async () => {
  const page = new URL('../../../docs/operations-guide.md', import.meta.url)
  const [, section = ''] = readFileSync(page, 'utf8').split('## Storage quota')
  const [part = ''] = section.split('\n## ')
  for (const id of servedWhenFull.always) expect(part).toContain(`\`${id}\``)

  const unlimited = await serviceForTest()
  await newOrganization(unlimited)
  const uncounted = await administer(unlimited, 'org.usage', { organizationId: null, max: 20 })
  expect(uncounted.organizations.map(({ keptBytes }) => keptBytes)).toEqual([null])

  const service = await serviceForTest({ MAX_ORGANIZATION_BYTES: '9007199254740991' })
  const [small, large] = [await newOrganization(service, 'Small'), await newOrganization(service)]
  for (const by of [small, large, large]) await writes(by)
  await measureDue(service.services)
  const readUsage = async (max: number, organizationId: string | null = null) => {
    const { organizations } = await administer(service, 'org.usage', { organizationId, max })
    return organizations.map((of) => [of.organizationId, of.keptBytes, of.measuredAt !== null])
  }
  const ofSmall = [small.organizationId, await held(service, small), true]
  const ofLarge = [large.organizationId, await held(service, large), true]
  expect(await readUsage(20)).toEqual([ofLarge, ofSmall])
  expect(await readUsage(1)).toEqual([ofLarge])
  expect(await readUsage(20, small.organizationId)).toEqual([ofSmall])
})

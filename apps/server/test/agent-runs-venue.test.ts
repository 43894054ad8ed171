// @module-tag long
// @covers apps/server/src/families/intelligence/agent-runs

import { expect } from 'vitest'
import { startWorkers } from '../src/service.ts'
import { chainTest as it } from './support/fixtures.ts'
import { observedVenue } from './support/observed-venue.ts'
import { callOperation } from './support/requests.ts'
import { type Protocol, protocolOf, researched } from './support/researching.ts'
import { newOrganization } from './support/service.ts'

/** Of research on a venue as it was observed: what is read, and sealed, are its records and the bytes that they name. */
it('seals the venue, its observations and their bytes, and runs on nothing else', async ({
  service,
  testChain,
}) => {
  const owner = await newOrganization(service)
  const { venue, pair } = await observedVenue(service, owner, testChain)
  const current = await callOperation<{ resourceVersion: string }>(owner, 'getVenues', {
    params: { id: venue.id },
  })
  const { data: observed } = await callOperation<{ id: string; resourceVersion: string }[]>(
    ...([owner, 'listVenueObservations'] as const),
  )
  const observations = observed.map(({ id, resourceVersion }) => ({ id, resourceVersion }))
  const named = { id: venue.id, resourceVersion: current.data.resourceVersion }
  const baseline = {
    kind: 'MONTE_CARLO',
    pair,
    market: { venue: named },
    observations,
    horizonSeconds: 86_400,
    stepSeconds: 3600,
    arm: { position: { kind: 'FULL_RANGE' } },
    price: { kind: 'GBM', annualVolatilityPips: 800_000 },
    flow: { kind: 'NONE' },
    capital: { base: '1000000000000', quote: '1000000000000', normalization: 'EQUAL_VALUE' },
  } as unknown as Protocol['baseline']
  const gone = { resourceType: 'MarketScore', id: `score_${'0'.repeat(32)}` }
  const workers = await startWorkers(service.services)
  const run = await researched(
    owner,
    protocolOf({
      baseline,
      guardrails: [],
      secondary: [],
      alternatives: [
        { label: 'Hold', changes: [{ pointer: '/arm/position', value: { kind: 'HOLD' } }] },
        {
          label: 'Of a window that nobody saw',
          changes: [{ pointer: '/window', value: { fromBlock: 900_000, toBlock: 900_001 } }],
        },
      ],
      capture: {
        sources: [{ ...gone, resourceVersion: `0x${'1'.repeat(64)}` }] as never,
        minimumCoveragePips: 1_000_000,
      },
    }),
  )
  await workers.stop()
  const { capture, report } = run.payload
  expect(
    capture!.items.map(({ source }) => [source.kind, source.resourceType, source.member]).sort(),
  ).toEqual(
    [
      ...observations.flatMap(() => [
        ['ARTIFACT', 'VenueObservation', 'events'],
        ['ARTIFACT', 'VenueObservation', 'state'],
        ['RECORD', 'VenueObservation', null],
      ]),
      ['RECORD', 'VenueProfile', null],
    ].sort(),
  )
  expect(capture).toMatchObject({ coveragePips: 1_000_000, gaps: [{ code: 'SOURCE_UNAVAILABLE' }] })
  expect(report).toMatchObject({
    state: 'PARTIAL',
    reasons: expect.arrayContaining(['ALTERNATIVE_INCOMPATIBLE', 'CAPTURE_GAPS']),
    alternatives: [
      { label: 'Hold', state: 'COMPLETED' },
      { state: 'INCOMPATIBLE', reason: expect.stringContaining('WINDOW_UNCOVERED') },
    ],
  })
  const response = await callOperation<{ verification: object }>(owner, 'getAgentRunResult', {
    params: { runId: run.id },
  })
  expect(response.status).toBe(200)
  for (const { evidenceId } of capture!.items) {
    const item = await callOperation<{ inclusion: { treeSize: number } }>(
      owner,
      'getAgentRunEvidence',
      {
        params: { runId: run.id, evidenceId },
      },
    )
    expect([item.status, item.data.inclusion.treeSize]).toEqual([200, capture!.items.length])
  }
})

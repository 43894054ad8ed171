import { describe, expect, it } from 'vitest'
import type { Run } from './records.ts'
import { allowedCommands, goOn, stepAfterTrials, stopped } from './run-course.ts'

const trial = (trialKey: string, state: string) =>
  ({
    trialKey,
    label: trialKey,
    state,
    attempts: 0,
    receiptHash: null,
    reason: null,
  }) as Run['trials'][number]
const run = (change: Partial<Run> = {}) =>
  ({
    mode: 'AUTO',
    phase: 'CAPTURING',
    halted: null,
    plan: null,
    budget: { maximumSteps: 3, maximumSeconds: 10 },
    usage: { steps: 1, milliseconds: 0 },
    trials: [trial('baseline', 'PENDING'), trial('alternative-1', 'PENDING')],
    ...change,
  }) as Run

describe('a run', () => {
  it('goes through its trials in their order and then writes', () => {
    const states = (...all: string[]) =>
      stepAfterTrials(
        all.map((state, index) => trial(index ? `alternative-${index}` : 'baseline', state)),
      )
    expect(states('PENDING', 'PENDING')).toBe('TRIAL:baseline')
    expect(states('COMPLETED', 'INCOMPATIBLE', 'PENDING')).toBe('TRIAL:alternative-2')
    expect(states('COMPLETED', 'FAILED')).toBe('DRAFT')
    expect(states('FAILED', 'PENDING')).toBe('DRAFT')
  })

  it('gives the trial to a job and counts it', () => {
    const { payload, status } = goOn(run(), 'TRIAL:baseline', 'SETTLED')
    expect([status, payload.phase, payload.nextStep]).toEqual([
      'ACTIVE',
      'ANALYSING',
      'TRIAL:baseline',
    ])
    expect(payload.trials.map(({ state, attempts }) => [state, attempts])).toEqual([
      ...[
        ['RUNNING', 1],
        ['PENDING', 0],
      ],
    ])
    expect(stopped(payload, null).trials[0]).toMatchObject({ state: 'PENDING', attempts: 1 })
  })

  it('stops after every requested step and continues on a command', () => {
    expect(goOn(run({ mode: 'STEPWISE' }), 'DRAFT', 'SETTLED').status).toBe('PAUSED')
    expect(goOn(run({ mode: 'STEPWISE' }), 'DRAFT', 'PERSON').status).toBe('ACTIVE')
  })

  it('stops with its budget used up, by steps or by time', () => {
    const { payload, status } = goOn(
      run({ usage: { steps: 3, milliseconds: 0 } }),
      'DRAFT',
      'SETTLED',
    )
    expect([status, payload.halted?.code]).toEqual(['PAUSED', 'BUDGET_EXHAUSTED'])
    expect(allowedCommands({ status, payload })).toEqual(['EXTEND_BUDGET', 'CANCEL'])
    const slow = goOn(run({ usage: { steps: 1, milliseconds: 10_000 } }), 'DRAFT', 'SETTLED')
    expect(slow.payload.halted?.code).toBe('BUDGET_EXHAUSTED')
  })

  it('lists the allowed commands of each state', () => {
    const commandsFor = (status: string, change: Partial<Run> = {}) =>
      allowedCommands({ status, payload: run(change) })
    expect(commandsFor('DRAFT')).toEqual(['PAUSE', 'CANCEL'])
    expect(commandsFor('PAUSED')).toEqual(['RESUME', 'EXTEND_BUDGET', 'CANCEL'])
    const halted = { code: 'X', step: 'DRAFT', detail: 'It broke.' }
    expect(commandsFor('PAUSED', { halted })).toEqual(['RETRY_STEP', 'EXTEND_BUDGET', 'CANCEL'])
    for (const status of ['COMPLETED', 'PARTIAL', 'ABSTAINED', 'FAILED', 'REVOKED']) {
      expect(commandsFor(status)).toEqual([])
    }
  })
})

import examples from '../examples/responses.json' with { type: 'json' }

/**
 * Recorded responses of a running service to the operation examples. Update with `UPDATE_EXAMPLES=1
 * npx vitest run apps/server/test/every-operation/examples.test.ts`.
 */
export const responseExamples: Readonly<Record<string, unknown>> = examples

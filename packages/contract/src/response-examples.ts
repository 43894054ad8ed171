import examples from '../examples/responses.json' with { type: 'json' }

/**
 * An answer of a running service to the example of each operation, as a test recorded it
 * (`UPDATE_EXAMPLES=1 npx vitest run apps/server/test/every-operation/examples.test.ts`).
 */
export const responseExamples: Readonly<Record<string, unknown>> = examples

import type { Json } from './value.ts'

/** Values that a task page hands to the full form of the same operation. In memory only. */
const handed = new Map<string, Json>()

export const handBody = (operationId: string, body: Json): void =>
  void handed.set(operationId, body)

/** The values for a form that opens; later forms start blank. */
export const handedBody = (operationId: string): Json | null => handed.get(operationId) ?? null

export const forgetBody = (operationId: string): void => void handed.delete(operationId)

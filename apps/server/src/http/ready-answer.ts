/** The answer, ready to be sent. */
export interface Answer {
  status: number
  headers: Record<string, string>
  body: string | Uint8Array | null
}

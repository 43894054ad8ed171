/** The response, ready to send. */
export interface Answer {
  status: number
  headers: Record<string, string>
  body: string | Uint8Array | null
}

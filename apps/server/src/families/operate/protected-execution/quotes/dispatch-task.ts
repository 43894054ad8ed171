/** Kind of the job that requests quotes from one source. */
export const dispatchTask = 'QUOTE_DISPATCH'

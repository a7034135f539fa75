/** How many pages of the console were shown since it was loaded: the first one does not take the focus. */
export const navigations = { count: -1 };

#region alpha
int ready = 1;
int limit = 0;
#endregion

#region beta
int ready = 1;
int limit = 0;
#endregion

#region gamma
int ready = 1;
int limit = 0;
#endregion

sub new {
    my ($class, %args) = @_;
    if (exists $args{one}) {
        $self->set_one($args{one});
    }
    if (exists $args{two}) {
        $self->set_two($args{two});
    }
    return $self;
}

sub other {
    return 1;
}
